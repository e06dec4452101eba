import type { Worker } from 'node:cluster'
import { memoryTally } from '#app/shared/server/limits/tally.ts'
import type { Config } from '../config.ts'
import { serveMetrics } from '../operation/serve-metrics.ts'
import { type Crew, crewOf, type End, type Watch } from './crew.ts'
import type { Gathering } from './gather-metrics.ts'
import { countFor } from './machine-tally.ts'
import type { FromFirst, FromWorker } from './messages.ts'

/** Who has not ended by itself so long after it should have is ended. */
const GRACE_MS = 500

const WARNING = 40

type Options = {
  count: number
  /** How long a process takes to stop at most. */
  patienceMs: number
  say: (line: string) => void
  complain: (line: string) => void
}

const inWords = ({ code, signal }: End) => `ended ${signal ? `by ${signal}` : `with code ${code}`}`

const send = (worker: Worker, message: FromFirst) => worker.send(message, () => {})

/** Counts for all, and hears the others' metrics. */
function listener(gathering: () => Gathering | undefined) {
  const tally = memoryTally()
  return async (worker: Worker, message: Exclude<FromWorker, { is: 'open' }>) => {
    if (message.is === 'counts') gathering()?.answered(message.id, message.counts)
    else
      send(worker, {
        ...{ is: 'counted', id: message.id },
        standing: await countFor(tally, message.counting),
      })
  }
}

/** Tells of an end as the workers' log would. */
function warnOf({ LOG_LEVEL }: Config, say: Options['say']) {
  const isTold = !['error', 'fatal', 'silent'].includes(LOG_LEVEL)
  return (end: End, pauseMs: number) => {
    const msg = `a process ${inWords(end)}; another takes its place in ${pauseMs} ms`
    if (isTold) say(JSON.stringify({ level: WARNING, time: Date.now(), pid: process.pid, msg }))
  }
}

/** Passes each signal on to all; who does not end then is ended. */
function passSignalsOn(crew: Crew, patienceMs: number) {
  const stop = (signal: NodeJS.Signals) => {
    crew.stop(signal)
    setTimeout(() => crew.stop('SIGKILL'), patienceMs + GRACE_MS).unref()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
}

/** Loaded only where somebody wants to know. */
async function openGathering(crew: Crew, { METRICS_HOST, METRICS_PORT }: Config) {
  if (METRICS_PORT === undefined) return undefined
  const { gatherMetrics } = await import('./gather-metrics.ts')
  const gathering = gatherMetrics(crew)
  const { line } = await serveMetrics({ METRICS_HOST, METRICS_PORT }, gathering)
  return { gathering, line }
}

/**
 * Serves the shop in so many processes, which all listen on its port, and replaces who ends. The
 * first of them does alone what is done once, migrations and the demo; when it is open, so is the
 * shop. Answers the exit code when all have ended: 1 when something was cut off, or none can start.
 * Throws a sentence when the port of the metrics cannot be listened on.
 */
export async function runWorkers(
  config: Config,
  { count, patienceMs, say, complain }: Options,
): Promise<number> {
  const ended = Promise.withResolvers<number>()
  const warn = warnOf(config, say)
  let isOpen = false
  const hear = listener(() => metrics?.gathering)
  const open = (lines: string[]) => {
    if (isOpen) return
    isOpen = true
    for (const line of metrics ? [...lines, metrics.line] : lines) say(line)
    for (let place = 1; place < count; place += 1) crew.start(place)
  }
  const watch: Watch = {
    said: (worker, message) =>
      message.is === 'open' ? open(message.lines) : hear(worker, message),
    replaced(end, pauseMs, worker) {
      warn(end, pauseMs)
      metrics?.gathering.left(worker)
    },
    stopped: (clean) => ended.resolve(clean ? 0 : 1),
    failed(end) {
      // why, it has said itself, unless it was killed
      if (isOpen || end.signal)
        complain(`No process of the shop can start: the last ${inWords(end)}.`)
      ended.resolve(1)
    },
  }
  const crew = crewOf(watch)
  const metrics = await openGathering(crew, config)
  passSignalsOn(crew, patienceMs)
  crew.start(0)
  return ended.promise
}
