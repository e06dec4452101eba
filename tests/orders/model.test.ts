/** Every state that a small model of payments reaches, breadth first, with the shop's transition table. */
import { describe, expect, it } from 'vitest'
import { TRANSITIONS } from '#app/payments/server/transitions.ts'
import { openModel } from './model.ts'
import { unsettledIn, violationsIn } from './model-rules.ts'
import { INITIAL, RIGHT, type Rules, type State } from './model-state.ts'

const keys = new WeakMap<object, string>()

/** The payment as a text, without its buyer. Its money may change places. */
function textOf(payment: State['payments'][number]): string {
  const known = keys.get(payment)
  if (known !== undefined) return known
  const { buyer: _, money, ...rest } = payment
  const texts = money.map((one) => Object.values(one).join())
  const text = [...Object.values(rest), ...texts.sort()].join()
  keys.set(payment, text)
  return text
}

/** Equal states have equal keys: buyers, and the payments of one buyer, may change places. */
function keyOf({ payments, free, coupons, hasFault }: State): string {
  const ofBuyer: [string[], string[]] = [[], []]
  for (const one of payments) ofBuyer[one.buyer === 0 ? 0 : 1].push(textOf(one))
  const both = ofBuyer.map((texts) => texts.sort().join(';')).sort()
  return `${free},${coupons},${hasFault}|${both.join('|')}`
}

type Found = { states: number; used: Set<string>; wrong: string | null }

/**
 * Walks through all states. A message that changes nothing leads back to the same state, so each may come
 * any number of times; there are at most three starts, two payments of money and one crash or rare act of
 * the bank.
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

const TABLE = Object.entries(TRANSITIONS).flatMap(([table, states]) =>
  Object.entries<string[]>(states).flatMap(([from, tos]) =>
    tos.map((to) => `${table}: ${from} → ${to}`),
  ),
)

describe('the model of payments', () => {
  it('breaks no invariant in any state, and uses every transition of the three tables', () => {
    const { states, used, wrong } = walk(RIGHT)
    expect(wrong).toBeNull()
    expect(states).toBeGreaterThan(10_000)
    expect([...used].sort()).toEqual(TABLE.sort())
  })

  it.each<[bug: string, change: Partial<Rules>, finding: RegExp]>([
    ['a late capture that takes no stock', { takesStockAgain: false }, /free/],
    ['a late capture that takes no use of the coupon', { takesCouponAgain: false }, /coupon/],
    ['a declined attempt that ends the purchase', { keepsDeclined: false }, /declined/],
    ['a late success that is not polled for', { pollsDeclined: false }, /not refunded/],
    ['a cancellation that ignores the state', { endsOnlyPayable: false }, /not in the table/],
    ['an unpaid order whose stock is never given back', { returnsUnpaid: false }, /free/],
    ['a release after a capture', { releasesOnlyUnconfirmed: false }, /is released/],
  ])('finds a planted bug: %s', (_bug, change, finding) => {
    expect(walk({ ...RIGHT, ...change }).wrong).toMatch(finding)
  })
})
