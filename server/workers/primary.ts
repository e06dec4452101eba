import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config.ts'
import type { WriteLine } from '../operation/output.ts'
import { serveMetrics } from '../operation/serve-metrics.ts'
import { closeOnSignal } from '../operation/shutdown.ts'
import { restartDelays, type WorkerRole, workerArguments, workerEnvironment } from './worker.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))
/** A worker that has not exited this long after its own timeout is killed. */
const KILL_AFTER_MS = 500

type Options = {
  count: number
  /** How long a worker may take to stop. */
  timeoutMs: number
  write: WriteLine
  /** Called once, when the first worker listens. */
  onOpen?: (() => void) | undefined
}

type Slot = { worker: Worker; isOpen: boolean }
type Slots = Map<number, Slot>

function fork(role: WorkerRole): Worker {
  // each worker accepts connections itself: a crash loses only the requests in flight in it
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: MAIN, args: workerArguments(role) })
  // an error while forking is followed by the exit event
  return cluster.fork(workerEnvironment()).on('error', () => {})
}

const describeExit = (code: number | null, signal: string | null) =>
  signal ? `ended by ${signal}` : `ended with code ${code}`

/** Forwards the first signal to every worker, waits for them, and exits: 1 when one was cut off. */
function stopOnSignal(slots: Slots, { timeoutMs, write }: Options, onStop: () => void) {
  const killAll = (signal: NodeJS.Signals) => {
    for (const { worker } of slots.values()) worker.process.kill(signal)
  }
  closeOnSignal({
    timeoutMs: timeoutMs + KILL_AFTER_MS,
    write,
    onTimeout: () => killAll('SIGKILL'),
    async close(signal) {
      onStop()
      const ends = [...slots.values()].map(async ({ worker, isOpen }) => {
        const [code] = await once(worker, 'exit')
        return isOpen && code !== 0
      })
      killAll(signal ?? 'SIGTERM')
      if ((await Promise.all(ends)).some(Boolean)) process.exit(1)
    },
  })
}

async function openMetrics(slots: Slots, { METRICS_HOST, METRICS_PORT }: Config) {
  if (METRICS_PORT === undefined) return undefined
  const { clusterMetrics } = await import('./cluster-metrics.ts')
  const metrics = clusterMetrics(() => [...slots.values()].filter(({ isOpen }) => isOpen).length)
  const { line } = await serveMetrics({ METRICS_HOST, METRICS_PORT }, metrics)
  return { line, countRestart: metrics.countRestart }
}

/** Logs the exit of a worker. */
function warnOfExit({ LOG_LEVEL }: Config, { write }: Options) {
  const isLogged = !['error', 'fatal', 'silent'].includes(LOG_LEVEL)
  return (end: string, delayMs: number) => {
    if (isLogged) write('warn', `a worker process ${end}; restarting in ${delayMs} ms`)
  }
}

/**
 * Serves the shop in `count` worker processes on one port, and restarts those that exit. The worker
 * in slot 0 runs the jobs; the others start when it listens, so that migrations and the demo are
 * done. Exits with 1 when no worker can start. Throws a user-readable message when the port of the
 * metrics is taken.
 */
export async function runWorkers(config: Config, options: Options): Promise<void> {
  const slots: Slots = new Map()
  const metrics = await openMetrics(slots, config)
  const warn = warnOfExit(config, options)
  let isOpen = false
  let isStopping = false

  const onListening = (slot: Slot) => {
    slot.isOpen = true
    if (isOpen) return
    isOpen = true
    options.onOpen?.()
    if (metrics) options.write('info', metrics.line)
    for (let number = 1; number < options.count; number += 1) start(number)
  }
  const onLastExit = (end: string, isKilled: boolean) => {
    // the worker has logged the cause, unless it was killed
    if (isOpen || isKilled)
      options.write('fatal', `No worker process can start: the last one ${end}.`)
    process.exit(1)
  }
  const start = (number: number, delayOf = restartDelays()) => {
    if (isStopping) return
    const startedAt = performance.now()
    const worker = fork({ runsJobs: number === 0, announces: !isOpen })
    const slot = { worker, isOpen: false }
    slots.set(number, slot)
    worker.once('listening', () => onListening(slot))
    worker.once('exit', (code, signal) => {
      slots.delete(number)
      if (isStopping) return
      const end = describeExit(code, signal)
      if (slots.size === 0 && !slot.isOpen) onLastExit(end, signal !== null)
      const delayMs = delayOf(performance.now() - startedAt)
      warn(end, delayMs)
      metrics?.countRestart()
      setTimeout(start, delayMs, number, delayOf)
    })
  }
  stopOnSignal(slots, options, () => {
    isStopping = true
  })
  start(0)
}
