/** Every state that a small model of payments reaches, breadth first, with the shop's transition table. */
import { describe, expect, it } from 'vitest'
import { TRANSITIONS } from '#app/payments/server/transitions.ts'
import {
  INITIAL,
  openModel,
  RIGHT,
  type Rules,
  type State,
  unsettledIn,
  violationsIn,
} from './model.ts'

const keys = new WeakMap<object, string>()

/** The payment as a text, without its buyer. */
function textOf(payment: State['payments'][number]): string {
  const known = keys.get(payment)
  if (known !== undefined) return known
  const { buyer: _, ...rest } = payment
  const text = Object.values(rest).join()
  keys.set(payment, text)
  return text
}

/** Equal states have equal keys: buyers, and the payments of one buyer, may change places. */
function keyOf({ payments, free, coupons, hasCrashed }: State): string {
  const ofBuyer: [string[], string[]] = [[], []]
  for (const one of payments) ofBuyer[one.buyer === 0 ? 0 : 1].push(textOf(one))
  const both = ofBuyer.map((texts) => texts.sort().join(';')).sort()
  return `${free},${coupons},${hasCrashed}|${both.join('|')}`
}

type Found = { states: number; used: Set<string>; wrong: string | null }

/**
 * Walks through all states. A message that changes nothing leads back to the same state, so each may come
 * any number of times; there are at most three starts, or two where money is captured at once, two payments of money and one crash.
 */
function walk(rules: Rules): Found {
  const used = new Set<string>()
  const model = openModel(rules, used)
  const seen = new Set([keyOf(INITIAL)])
  let level: [State, string][] = [[INITIAL, '']]
  const wrongAt = (state: State) =>
    [...violationsIn(state), ...unsettledIn(model.recover(state))].join(', ')
  while (level.length > 0) {
    const next: [State, string][] = []
    for (const [state, path] of level) {
      try {
        for (const [message, after] of model.moves(state)) {
          if (after === state) continue
          const key = keyOf(after)
          if (seen.has(key)) continue
          const way = `${path} ${message},`
          seen.add(key)
          const wrong = wrongAt(after)
          if (wrong !== '') return { states: seen.size, used, wrong: `${wrong} after${way}` }
          next.push([after, way])
        }
      } catch (error) {
        return { states: seen.size, used, wrong: `${error} after${path}` }
      }
    }
    level = next
  }
  return { states: seen.size, used, wrong: null }
}

const TABLE = Object.entries(TRANSITIONS).flatMap(([from, tos]) =>
  tos.map((to) => `${from} → ${to}`),
)

describe('the model of payments', () => {
  it('breaks no invariant in any state, and uses every transition of the table', () => {
    const { states, used, wrong } = walk(RIGHT)
    expect(wrong).toBeNull()
    expect(states).toBeGreaterThan(10_000)
    const atOnce = walk({ ...RIGHT, capturesLater: false, maxStarts: 2 })
    expect(atOnce.wrong).toBeNull()
    expect(atOnce.states).toBeGreaterThan(1000)
    expect([...new Set([...used, ...atOnce.used])].sort()).toEqual(TABLE.sort())
  })

  it.each<[bug: string, change: Partial<Rules>, finding: RegExp]>([
    ['a late capture that takes no stock', { takesStockAgain: false }, /free/],
    ['a late capture that takes no use of the coupon', { takesCouponAgain: false }, /coupon/],
    ['a declined attempt that ends the purchase', { keepsDeclined: false }, /declined/],
    ['a late success that is not polled for', { pollsDeclined: false }, /forgotten/],
    ['a cancellation that ignores the state', { endsOnlyUndecided: false }, /not in the table/],
  ])('finds a planted bug: %s', (_bug, change, finding) => {
    expect(walk({ ...RIGHT, ...change }).wrong).toMatch(finding)
  })
})
