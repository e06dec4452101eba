/** Concurrency limits of this process. */
import pLimit from 'p-limit'
import { type Failure, unavailable } from '../failure.ts'
import { widestNetworkOf } from './client-keys.ts'

/** Runs a task as soon as a slot is free. */
export type Slots = <Result>(task: () => Promise<Result>) => Promise<Result>

/** `concurrency` tasks run at once and `queue` more wait. Further ones are refused, by default with 503. */
type Bounds = { concurrency: number; queue: number; refusal?: () => Failure }

const busy = () => unavailable('The shop is very busy right now. Please try again in a moment.', 5)

/** Slots with a bounded queue. */
export function boundedSlots({ concurrency, queue, refusal = busy }: Bounds): Slots {
  const limit = pLimit(concurrency)
  return async (task) => {
    if (limit.activeCount + limit.pendingCount >= concurrency + queue) throw refusal()
    return limit(task)
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
