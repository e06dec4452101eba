import type { Progress } from '#demo/finish-photos.ts'

/** A terminal gets one line that is rewritten, a log one line per quarter. */
const QUARTERS = 4

/** Prints the progress of a task on `out`, such as `Setting out the demo: 12 of 88`. */
export function showProgress(
  task: string,
  out: { isTTY?: boolean; write: (text: string) => unknown },
): Progress {
  return (done, total) => {
    const line = `${task}: ${done} of ${total}`
    if (out.isTTY) out.write(`\r${line}${done === total ? '\n' : ''}`)
    else if (done % Math.ceil(total / QUARTERS) === 0 || done === total) out.write(`${line}\n`)
  }
}
