/** The pairs of transactions of which one closes the buyer's account. */
import type { Pair } from './pairs.ts'

export const CLOSING_PAIRS: Record<string, Pair> = {
  'closing of the account and cancelling of an unpaid order': {
    quantity: 1,
    arrange: async ({ unpaid, closing, cancelOrder }) => {
      const id = await unpaid()
      return [closing, cancelOrder(id)]
    },
    expected: { succeeding: [2], orders: [1] },
  },
  'closing of the account and capture': {
    quantity: 1,
    arrange: async ({ paid, closing, verify }) => {
      const money = await paid()
      return [closing, verify(money)]
    },
    expected: { succeeding: [1, 2], orders: [0, 1] },
  },
  'closing of the account and late capture': {
    quantity: 1,
    max: 60,
    arrange: async ({ db, paid, letExpire, expire, closing, verify }) => {
      const money = await paid()
      await letExpire()
      await expire(db)
      return [closing, verify(money)]
    },
    expected: { succeeding: [1, 2], orders: [0, 1] },
  },
  'closing of the account and start': {
    quantity: 2,
    max: 60,
    arrange: async ({ db, start, first, closing }) => {
      await start(first)(db)
      return [closing, start(first)]
    },
    expected: { succeeding: [1, 2], orders: [0] },
  },
  'closing of the account and cancelled payment': {
    quantity: 1,
    arrange: async ({ started, closing, cancel }) => [closing, cancel(await started())],
    expected: { succeeding: [2], orders: [0] },
  },
  'closing of the account and refund': {
    quantity: 1,
    max: 60,
    arrange: async ({ db, paid, verify, refundHalf, closing }) => {
      const { _id } = await verify(await paid())(db)
      return [closing, refundHalf(_id, true)]
    },
    expected: { succeeding: [2], orders: [1], refunds: 1 },
  },
  'closing of the account and end of a refund': {
    quantity: 1,
    max: 60,
    arrange: async ({ db, provider, dueRefund, runRefunds, closing, webhook }) => {
      await dueRefund()
      await runRefunds(db)
      provider.endRefunds()
      return [closing, webhook()]
    },
    expected: { succeeding: [2], orders: [0], refunds: 1 },
  },
  'closing of the account and order status': {
    quantity: 1,
    max: 60,
    arrange: async ({ db, paid, verify, ship, closing }) => {
      const { _id } = await verify(await paid())(db)
      return [closing, ship(_id)]
    },
    expected: { succeeding: [2], orders: [1] },
  },
}
