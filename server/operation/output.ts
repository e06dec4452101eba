import type { Progress } from '#demo/finish-photos.ts'

/** The levels of the log, as numbers. */
const LEVELS = { info: 30, warn: 40, error: 50, fatal: 60 }

export type WriteLine = (level: keyof typeof LEVELS, msg: string) => void

/**
 * Writes a line of the log that belongs to no request, such as those of the start: as JSON like all
 * others, on a terminal as plain text. `info` goes to the standard output, the others to the
 * standard error.
 */
export const writeLine: WriteLine = (level, msg) => {
  const out = level === 'info' ? process.stdout : process.stderr
  const line = { level: LEVELS[level], time: Date.now(), pid: process.pid, msg }
  out.write(`${out.isTTY ? msg : JSON.stringify(line)}\n`)
}

/** The meaning of error codes of the operating system when a file is written, and the remedy. */
const REASONS: Record<string, string> = {
  EACCES: 'This user may not write there. Give it the folder, or choose another one.',
  EPERM: 'This user may not write there. Give it the folder, or choose another one.',
  EROFS: 'The disk is read-only. Choose another one.',
  ENOSPC: 'The disk is full. Free space on it, or choose another one.',
  EDQUOT: 'The quota of this user is used up. Free space, or choose another disk.',
}

/** The error as a sentence with the path and the remedy, where the operating system refused a write. */
export function writeError<Thrown>(error: Thrown, file: string): Thrown | Error {
  const why = REASONS[String(Object(error).code)]
  return why ? new Error(`${file} cannot be written. ${why}`, { cause: error }) : error
}

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
