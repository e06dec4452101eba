/** Concurrency limits of this process. */
import { type Failure, unavailable } from '../failure.ts'
import { widestNetworkOf } from './client-keys.ts'

/** Runs a task as soon as a slot is free, unless the signal is aborted while it waits. */
export type Slots = <Result>(
  task: () => Promise<Result>,
  signal?: AbortSignal | undefined,
) => Promise<Result>

/** `concurrency` tasks run at once and `queue` more wait. Further ones are refused, by default with 503. */
type Bounds = { concurrency: number; queue: number; refusal?: () => Failure }

const busy = () => unavailable('The shop is very busy right now. Please try again in a moment.', 5)

/** Slots with a bounded queue. */
export function boundedSlots({ concurrency, queue, refusal = busy }: Bounds): Slots {
  let running = 0
  const waiting = new Set<() => void>()
  /** Waits until a task that ends passes its slot on. */
  const turn = (signal: AbortSignal | undefined) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(enter)
        reject(signal?.reason)
      }
      const enter = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      waiting.add(enter)
      signal?.addEventListener('abort', leave)
    })
  const release = () => {
    const [next] = waiting
    if (!next) running -= 1
    else {
      waiting.delete(next)
      next()
    }
  }
  return async (task, signal) => {
    signal?.throwIfAborted()
    if (running < concurrency) running += 1
    else if (waiting.size < queue) await turn(signal)
    else throw refusal()
    try {
      return await task()
    } finally {
      release()
    }
  }
}

/**
 * Shares slots among networks, each of which has only so many tasks in them; its further ones wait
 * outside. So a newcomer waits for a few tasks of each other network, however long their queues are. Of
 * IPv6 a /48 is one network, because it may belong to one customer.
 */
export function slotsByNetwork(ofNetwork: Bounds, slots: Slots): (address: string) => Slots {
  const networks = new Map<string, { enter: Slots; tasks: number }>()
  return (address) => async (task) => {
    const name = widestNetworkOf(address)
    const network = networks.get(name) ?? { enter: boundedSlots(ofNetwork), tasks: 0 }
    networks.set(name, network)
    network.tasks += 1
    try {
      return await network.enter(() => slots(task))
    } finally {
      network.tasks -= 1
      if (network.tasks === 0) networks.delete(name)
    }
  }
}

/** Waits for a slot. Returns the function that releases it; further calls of it have no effect. */
export const acquireSlot = (slots: Slots): Promise<() => void> =>
  new Promise((acquired, reject) => {
    slots(() => new Promise<void>(acquired)).catch(reject)
  })
