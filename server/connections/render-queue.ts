/** Schedules costly answers of one process: few at once, in turn between networks. */

export type QueueBounds = {
  /** Concurrent answers of the process. */
  concurrent: number
  /** Concurrent answers of one network. */
  concurrentOfNetwork: number
  /** Further requests of one network that wait. */
  waitingOfNetwork: number
}

/** Frees the place of an answer; calls after the first have no effect. */
export type Release = () => void

type Queue = { running: number; waiting: (() => void)[] }

/** Waits for a place; null where too many requests of the network wait already. */
export type EnterQueue = (network: string) => Promise<Release | null>

/**
 * Turns of the event loop before each answer. Node accepts about one new connection per turn, so
 * that answers in every turn would keep new visitors waiting. A turn without work takes microseconds.
 */
const TURNS_BEFORE_START = 10
/** Where turns are long, because the process is busy, the wait ends after this time. */
const LONGEST_WAIT_MS = 25

function waitTurns(turns: number, then: () => void, since = performance.now()): void {
  setImmediate(() => {
    const isOver = turns <= 1 || performance.now() - since > LONGEST_WAIT_MS
    if (isOver) then()
    else waitTurns(turns - 1, then, since)
  })
}

/** Takes the next waiting request, and moves its network behind all others. */
function takeNext(queues: Map<string, Queue>, concurrent: number): (() => void) | undefined {
  for (const [network, queue] of queues) {
    const start = queue.running < concurrent ? queue.waiting.shift() : undefined
    if (!start) continue
    queues.delete(network)
    queues.set(network, queue)
    queue.running += 1
    return start
  }
  return undefined
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    isDone = true
    work()
  }
}

/** Networks take turns (round robin), and requests of one network are served in their order. */
export function renderQueue(bounds: QueueBounds): EnterQueue {
  // the network whose turn is next comes first
  const queues = new Map<string, Queue>()
  let running = 0
  let isScheduled = false

  const schedule = () => {
    if (isScheduled || running >= bounds.concurrent) return
    isScheduled = true
    waitTurns(TURNS_BEFORE_START, () => {
      isScheduled = false
      const start = takeNext(queues, bounds.concurrentOfNetwork)
      if (!start) return
      running += 1
      start()
      schedule()
    })
  }

  return async (network) => {
    const queue = queues.get(network) ?? { running: 0, waiting: [] }
    if (queue.waiting.length >= bounds.waitingOfNetwork) return null
    queues.set(network, queue)
    await new Promise<void>((start) => {
      queue.waiting.push(start)
      schedule()
    })
    return once(() => {
      queue.running -= 1
      running -= 1
      if (queue.running === 0 && queue.waiting.length === 0) queues.delete(network)
      schedule()
    })
  }
}
