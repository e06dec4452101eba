/** Faults between the shop and Razorpay: delays, lost answers, refusals. */
import { setTimeout } from 'node:timers/promises'
import type { Random } from './random.ts'

/** The calls of Razorpay's API that the shop makes. */
export type Call =
  | 'create order'
  | 'read order'
  | 'list payments'
  | 'read payment'
  | 'capture'
  | 'refund'
  | 'list refunds'
  | 'other'

/** An answer without the call's effect. */
export type Answer = { status: number; body: unknown }

/** The fault of one call. */
export type Incident = {
  /** Before the effect, and after it. */
  before?: () => Promise<unknown>
  after?: () => Promise<unknown>
  /** Answered in place of the effect. */
  instead?: Answer
  /** The connection is cut, before or after the effect. */
  cut?: 'before' | 'after'
  /** The answer comes twice on the same connection. */
  isTwice?: boolean
}

/**
 * Faults of any answer: it comes after 30 seconds, it is a 500, the connection is cut
 * before or after the work was done, or the answer comes twice on the same connection, at once or in
 * the place of the next answer.
 */
export const FAILURES = ['slow', 'error', 'cut before', 'cut after', 'twice'] as const
export type Failure = (typeof FAILURES)[number]
const SLOW_MS = 30_000

const errorOf = (status: number, description: string): Answer => {
  const code = status >= 500 ? 'SERVER_ERROR' : 'BAD_REQUEST_ERROR'
  return { status, body: { error: { code, description } } }
}

const pause = (ms: number) => () => setTimeout(ms, undefined, { ref: false })

const INCIDENTS: Record<Failure, Incident> = {
  slow: { after: pause(SLOW_MS) },
  error: { instead: errorOf(500, 'We are facing some trouble completing your request.') },
  'cut before': { cut: 'before' },
  'cut after': { cut: 'after' },
  twice: { isTwice: true },
}

export type Network = ReturnType<typeof openNetwork>

export function openNetwork(random: Random) {
  let planned: { call: Call; incident: Incident; left: number }[] = []
  /** The kind and share of calls that fail, and how many did. */
  const failing: { kind: Failure | null; share: number; count: number } = {
    kind: null,
    share: 1,
    count: 0,
  }
  /** The next calls of this kind have the incident. */
  const plan = (call: Call, incident: Incident, times = 1) => {
    planned.push({ call, incident, left: times })
  }
  return {
    failing,
    /** The incident of a call that comes in now. */
    next(call: Call): Incident {
      const found = planned.find((one) => one.call === call)
      if (found) found.left -= 1
      planned = planned.filter(({ left }) => left > 0)
      if (found) return found.incident
      if (!failing.kind || !random.chance(failing.share)) return {}
      failing.count += 1
      return INCIDENTS[failing.kind]
    },
    /** The next calls take so long, before their effect or after it. */
    delay(call: Call, { beforeMs = 0, afterMs = 0 }, times = 1) {
      plan(call, { before: pause(beforeMs), after: pause(afterMs) }, times)
    },
    /**
     * The next call waits before its effect, or after it with the answer: `arrived` resolves when it does,
     * `release` lets it go on.
     */
    hold(call: Call, when: 'before' | 'after') {
      const arrival = Promise.withResolvers<void>()
      const leave = Promise.withResolvers<void>()
      plan(call, {
        [when]: () => {
          arrival.resolve()
          return leave.promise
        },
      })
      return { arrived: arrival.promise, release: () => leave.resolve() }
    },
    /** The next calls have their effect, and no answer. */
    loseAnswer: (call: Call, times = 1) => plan(call, { cut: 'after' }, times),
    /** The next calls have no effect and no answer. */
    loseRequest: (call: Call, times = 1) => plan(call, { cut: 'before' }, times),
    /** The next calls are refused, for example with 401, 429 or 502. */
    refuse: (call: Call, status: number, description = '', times = 1) =>
      plan(call, { instead: errorOf(status, description) }, times),
    /** The next call is answered by this, without an effect. */
    answer: (call: Call, body: unknown) => plan(call, { instead: { status: 200, body } }),
    /** Ends everything that was planned. */
    restore() {
      planned = []
      failing.kind = null
    },
  }
}
