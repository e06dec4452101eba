import cluster, { type Worker } from 'node:cluster'
import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type FromWorker, WITH_JOBS, WORKER } from './messages.ts'
import { pausesOf } from './restarts.ts'

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url))

/** How a process ended: by itself with a code, or by a signal. */
export type End = { code: number | null; signal: string | null }

/** Who hears what happens to the workers. */
export type Watch = {
  /** What a worker says. */
  said: (worker: Worker, message: FromWorker) => void
  /** One has ended; another takes its place in so many milliseconds. */
  replaced: (end: End, pauseMs: number, worker: Worker) => void
  /** All have ended as they were told to; `clean` when nothing was cut off. */
  stopped: (clean: boolean) => void
  /** None is left, and the last one ended before it was open. */
  failed: (end: End) => void
}

type Member = { worker: Worker; isOpen: boolean; startedAt: number }

/** What was compiled before is compiled for all. */
function environment() {
  const compiled = getCompileCacheDir()
  return compiled ? { NODE_COMPILE_CACHE: dirname(compiled) } : {}
}

/** Starts a process for this place. */
function fork(place: number): Worker {
  // each accepts connections by itself: one that is killed takes with it only what it has accepted
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const args = place === 0 ? [WORKER, WITH_JOBS] : [WORKER]
  cluster.setupPrimary({ exec: MAIN, args, serialization: 'advanced' })
  // one that cannot even be started says so, and ends
  return cluster.fork(environment()).on('error', () => {})
}

/**
 * The processes that serve customers, each in a place of its own; the one in place 0 does the jobs.
 * Who ends is replaced, unless nobody is left and the last one did not even open.
 */
export function crewOf(watch: Watch) {
  const members = new Map<number, Member>()
  let isStopping = false
  let isClean = true

  /** Somebody has ended who was told to; who was not open yet had nobody to cut off. */
  const leave = ({ isOpen }: Member, { code }: End) => {
    if (isOpen && code !== 0) isClean = false
    if (members.size === 0) watch.stopped(isClean)
  }
  const start = (place: number, pauseOf = pausesOf()) => {
    if (isStopping) return
    const member: Member = { worker: fork(place), isOpen: false, startedAt: performance.now() }
    members.set(place, member)
    member.worker.on('message', (message: FromWorker) => {
      if (message.is === 'open') member.isOpen = true
      watch.said(member.worker, message)
    })
    member.worker.once('exit', (code: number | null, signal: string | null) => {
      members.delete(place)
      const end = { code, signal }
      if (isStopping) return leave(member, end)
      if (members.size === 0 && !member.isOpen) return watch.failed(end)
      const pauseMs = pauseOf(performance.now() - member.startedAt)
      watch.replaced(end, pauseMs, member.worker)
      setTimeout(start, pauseMs, place, pauseOf)
    })
  }
  /** Passes a signal on to all, and replaces nobody from now on. */
  const stop = (signal: NodeJS.Signals) => {
    isStopping = true
    if (members.size === 0) watch.stopped(true)
    for (const { worker } of members.values()) worker.process.kill(signal)
  }
  /** Those that customers are served by. */
  const open = () =>
    [...members.values()].filter(({ isOpen }) => isOpen).map(({ worker }) => worker)
  return { start, stop, open }
}

export type Crew = ReturnType<typeof crewOf>
