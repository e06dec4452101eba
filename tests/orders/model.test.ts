/** Every state that a small model of payments reaches, breadth first, with the shop's transition table. */
import { describe, expect, it } from 'vitest'
import { TRANSITIONS } from '#app/payments/server/transitions.ts'
import { INITIAL, openModel, RIGHT, type Rules, type State, unsettledIn, wrongIn } from './model.ts'

/** Equal states have equal keys: buyers, and the payments of one buyer, may change places. */
function keyOf({ payments, ...rest }: State): string {
  const ofBuyer = (buyer: number) =>
    payments
      .filter((one) => one.buyer === buyer)
      .map(({ buyer: _, ...one }) => Object.values(one).join())
      .sort()
      .join(';')
  return [Object.values(rest).join(), ...[ofBuyer(0), ofBuyer(1)].sort()].join('|')
}

type Found = { states: number; used: Set<string>; wrong: string | null }

/**
 * Walks through all states. A message that changes nothing leads back to the same state, so each may come
 * any number of times; starts and payments come at most three times, and one crash.
 */
function walk(rules: Rules): Found {
  const used = new Set<string>()
  const model = openModel(rules, used)
  const cameBy = new Map<string, string>([[keyOf(INITIAL), '']])
  let level: [State, string][] = [[INITIAL, '']]
  const wrongAt = (state: State) =>
    [...wrongIn(state), ...unsettledIn(model.recover(state))].join(', ')
  while (level.length > 0) {
    const next: [State, string][] = []
    for (const [state, path] of level) {
      try {
        for (const [message, after] of model.moves(state)) {
          const key = keyOf(after)
          if (cameBy.has(key)) continue
          const way = `${path} ${message},`
          cameBy.set(key, way)
          const wrong = wrongAt(after)
          if (wrong !== '') return { states: cameBy.size, used, wrong: `${wrong} after${way}` }
          next.push([after, way])
        }
      } catch (error) {
        return { states: cameBy.size, used, wrong: `${error} after${path}` }
      }
    }
    level = next
  }
  return { states: cameBy.size, used, wrong: null }
}

const TABLE = Object.entries(TRANSITIONS).flatMap(([from, tos]) => tos.map((to) => `${from} → ${to}`))

describe('the model of payments', () => {
  it('holds what must hold in every state, and uses every transition of the table', () => {
    const { states, used, wrong } = walk(RIGHT)
    expect(wrong).toBeNull()
    expect(states).toBeGreaterThan(10_000)
    expect([...used].sort()).toEqual(TABLE.sort())
  })

  it.each<[bug: string, change: Partial<Rules>, finding: RegExp]>([
    ['a late capture that takes no stock', { takesStockAgain: false }, /free/],
    ['a late capture that takes no use of the coupon', { takesCouponAgain: false }, /coupon/],
    ['a cancellation that ignores the state', { endsOnlyUndecided: false }, /not in the table/],
  ])('finds %s', (_bug, change, finding) => {
    expect(walk({ ...RIGHT, ...change }).wrong).toMatch(finding)
  })
})
