/** Schedules work of one process: a few at once, round robin between networks. */

export type QueueBounds = {
  /** Concurrent work of the process. */
  concurrent: number
  /** Concurrent work of one network. */
  concurrentOfNetwork: number
  /** Waiting requests of one network. */
  waitingOfNetwork: number
  /** Event-loop iterations before each start. */
  iterationsBefore: number
}

/** Releases the slot; further calls have no effect. */
export type Release = () => void

type Queue = { running: number; waiting: (() => void)[] }

/** Waits for a slot; null when too many requests of the network are waiting. */
export type EnterQueue = (network: string) => Promise<Release | null>

/** When iterations are long, because the process is busy, the wait ends after this time. */
const LONGEST_WAIT_MS = 25

function waitIterations(count: number, then: () => void, since = performance.now()): void {
  setImmediate(() => {
    const isOver = count <= 1 || performance.now() - since > LONGEST_WAIT_MS
    if (isOver) then()
    else waitIterations(count - 1, then, since)
  })
}

/** Takes the next waiting request, and moves its network to the end. */
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

/** Round robin between networks; requests of one network are served in order. */
export function renderQueue(bounds: QueueBounds): EnterQueue {
  // the network that is next comes first
  const queues = new Map<string, Queue>()
  let running = 0
  let isScheduled = false

  const schedule = () => {
    if (isScheduled || running >= bounds.concurrent) return
    isScheduled = true
    waitIterations(bounds.iterationsBefore, () => {
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
