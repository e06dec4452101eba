import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { budgetOf } from '#app/shared/server/bounds/budget.ts'
import { unavailable } from '#app/shared/server/failure.ts'
import type { Developed, Exposed, Fault } from './darkroom-process.ts'
import type { PhotoVariants } from './photo-variants.ts'

type Picture = Omit<Exposed, 'job'>

/** Makes a picture into what is kept of it, or tells what is wrong with it. */
export type Darkroom = (picture: Picture) => Promise<PhotoVariants | Fault>

/** A picture of 50 megapixels takes hundreds of megabytes, and sharp uses every core for one. */
const AT_ONCE = 2

/** The process starts in a tenth of a second; kept so long, pictures in a row share one. */
const IDLE_MS = 5000

const PROCESS = fileURLToPath(new URL('./darkroom-process.ts', import.meta.url))

const brokenDown = () => unavailable('The photo could not be developed. Please try again.', 1)

type Waiting = {
  resolve: (result: PhotoVariants | Fault) => void
  reject: (error: Error) => void
}

/** The process and who waits for it; `over` is called once, when it has ended. */
function startProcess(execPath: string, over: () => void) {
  // it knows no setting and no secret: it reads what strangers send
  const child: ChildProcess = fork(PROCESS, {
    ...{ serialization: 'advanced', execPath, execArgv: [], env: {} },
  })
  const waiting = new Map<number, Waiting>()
  let jobs = 0
  let idle: NodeJS.Timeout | undefined
  /** Neither an idle process nor its channel keeps the shop from ending. */
  const rest = () => {
    child.unref()
    child.channel?.unref()
    idle = setTimeout(() => child.connected && child.disconnect(), IDLE_MS).unref()
  }
  const wake = () => {
    clearTimeout(idle)
    child.ref()
    child.channel?.ref()
  }
  child.on('message', ({ job, result }: Developed) => {
    waiting.get(job)?.resolve(result)
    waiting.delete(job)
    if (waiting.size === 0) rest()
  })
  const end = () => {
    over()
    for (const { reject } of waiting.values()) reject(brokenDown())
    waiting.clear()
  }
  // a process that could not be started says so more than once
  child.on('error', end).once('disconnect', end)
  return (picture: Picture): Promise<PhotoVariants | Fault> =>
    new Promise((resolve, reject) => {
      wake()
      const job = jobs++
      waiting.set(job, { resolve, reject })
      const exposed: Exposed = { job, ...picture }
      child.send(exposed, (error) => error && end())
    })
}

/**
 * Opens the darkroom: a process that is started by the first picture and ends when none came for a
 * while. Few are developed at once. It throws `unavailable` when the process breaks down.
 * `execPath` is the program that runs it.
 */
export function openDarkroom({ execPath = process.execPath } = {}): Darkroom {
  const places = budgetOf(AT_ONCE)
  let develop: ReturnType<typeof startProcess> | undefined
  return async (picture) => {
    const leave = await places(1)
    try {
      develop ??= startProcess(execPath, () => {
        develop = undefined
      })
      return await develop(picture)
    } finally {
      leave()
    }
  }
}
