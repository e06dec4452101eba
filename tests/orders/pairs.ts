/** The pairs of transactions whose statements run in every order. */
import { sql } from 'kysely'
import { linkToken } from '#app/accounts/server/service.ts'
import { CLOSING_PAIRS } from './closing-pairs.ts'
import { type Fixture, OTHER_COUPON, type Work } from './pair-fixture.ts'

/** The fixture, and the expected end, of a pair. */
export type Pair = {
  quantity: number
  /** More orders than this are not run; 400 by default. */
  max?: number
  /** Whether an edit locks the product, until both works wait for it. */
  isEdited?: boolean
  arrange: (fixture: Fixture) => Promise<[Work, Work]>
  /** How many of them may succeed, and how many orders and refunds there are then. */
  expected: {
    succeeding: number[]
    orders: number[]
    refunds?: number
    /** Whether a changed price is answered with the new quote. */
    isQuoted?: boolean
  }
}

/** Of other money than the first. */
const OTHER_KEY = '01890000-0000-7000-8000-000000000002'

export const PAIRS: Record<string, Pair> = {
  ...CLOSING_PAIRS,
  'last piece': {
    quantity: 1,
    arrange: async ({ start, first, second }) => [start(first), start(second)],
    expected: { succeeding: [1], orders: [0] },
  },
  'last piece of an edited product': {
    quantity: 1,
    isEdited: true,
    arrange: async ({ start, first, second }) => [start(first), start(second)],
    expected: { succeeding: [1], orders: [0] },
  },
  'start and start of one buyer, of an edited product': {
    quantity: 2,
    isEdited: true,
    arrange: async ({ start, first }) => [start(first), start(first)],
    expected: { succeeding: [2], orders: [0] },
  },
  'start and start of one buyer': {
    quantity: 2,
    arrange: async ({ start, first }) => [start(first), start(first)],
    expected: { succeeding: [2], orders: [0] },
  },
  'last use of a coupon': {
    quantity: 2,
    arrange: async ({ startWithCoupon, first, second }) => [
      startWithCoupon(first),
      startWithCoupon(second),
    ],
    expected: { succeeding: [1], orders: [0], isQuoted: true },
  },
  'last use of a coupon, and expiry': {
    quantity: 2,
    arrange: async ({ db, startWithCoupon, first, second, letExpire, expire }) => {
      await startWithCoupon(first)(db)
      await letExpire()
      return [expire, startWithCoupon(second)]
    },
    expected: { succeeding: [1, 2], orders: [0], isQuoted: true },
  },
  'two late captures of one buyer with one coupon, of an edited product': {
    quantity: 3,
    max: 40,
    isEdited: true,
    arrange: async ({ db, latePaid, verify }) => {
      await sql`update coupons set max_uses = 2, max_uses_each = 2`.execute(db)
      return [verify(await latePaid(1)), verify(await latePaid(2))]
    },
    expected: { succeeding: [2], orders: [2] },
  },
  'two late captures of one buyer with two coupons for a first order, of an edited product': {
    quantity: 3,
    max: 20,
    isEdited: true,
    arrange: async ({ addFirstOrderCoupons, latePaid, verify }) => {
      await addFirstOrderCoupons()
      return [verify(await latePaid(1)), verify(await latePaid(2, OTHER_COUPON))]
    },
    expected: { succeeding: [1], orders: [1] },
  },
  'late capture and start of one buyer with two coupons for a first order, of an edited product': {
    quantity: 3,
    max: 20,
    isEdited: true,
    arrange: async ({ addFirstOrderCoupons, latePaid, verify, startWithCoupon, first }) => {
      await addFirstOrderCoupons()
      return [verify(await latePaid(2)), startWithCoupon(first, OTHER_COUPON)]
    },
    expected: { succeeding: [1], orders: [0, 1], isQuoted: true },
  },
  'unpaid order and unpaid order of one buyer': {
    quantity: 2,
    arrange: async ({ orderUnpaid, first }) => [orderUnpaid(first), orderUnpaid(first)],
    expected: { succeeding: [2], orders: [1] },
  },
  'the rest of the money and cancelling of an unpaid order': {
    quantity: 1,
    arrange: async ({ db, unpaid, receiveHalf, cancelOrder }) => {
      const id = await unpaid()
      await receiveHalf(id)(db)
      return [receiveHalf(id, OTHER_KEY), cancelOrder(id)]
    },
    expected: { succeeding: [1, 2], orders: [1] },
  },
  'two halves of the money': {
    quantity: 1,
    arrange: async ({ unpaid, receiveHalf }) => {
      const id = await unpaid()
      return [receiveHalf(id), receiveHalf(id, OTHER_KEY)]
    },
    expected: { succeeding: [2], orders: [1] },
  },
  'a half and all of the money': {
    quantity: 1,
    arrange: async ({ unpaid, receiveHalf, receiveAll }) => {
      const id = await unpaid()
      return [receiveHalf(id), receiveAll(id, OTHER_KEY)]
    },
    expected: { succeeding: [1], orders: [1] },
  },
  'the same money entered twice': {
    quantity: 1,
    arrange: async ({ unpaid, receiveHalf }) => {
      const id = await unpaid()
      return [receiveHalf(id), receiveHalf(id)]
    },
    expected: { succeeding: [2], orders: [1] },
  },
  'webhook and verify': {
    quantity: 1,
    arrange: async ({ paid, webhook, verify }) => {
      const money = await paid()
      return [webhook(), verify(money)]
    },
    expected: { succeeding: [2], orders: [1] },
  },
  'refund and refund': {
    quantity: 1,
    arrange: async ({ db, paid, verify, refundHalf }) => {
      const { _id } = await verify(await paid())(db)
      return [refundHalf(_id), refundHalf(_id)]
    },
    expected: { succeeding: [1], orders: [1], refunds: 1 },
  },
  'refund job and refund job': {
    quantity: 1,
    arrange: async ({ dueRefund, runRefunds }) => {
      await dueRefund()
      return [runRefunds, runRefunds]
    },
    expected: { succeeding: [2], orders: [0], refunds: 1 },
  },
  'expiry and capture': {
    quantity: 1,
    arrange: async ({ paid, letExpire, expire, verify }) => {
      const money = await paid()
      await letExpire()
      return [expire, verify(money)]
    },
    expected: { succeeding: [2], orders: [1] },
  },
  'expiry and cancellation': {
    quantity: 1,
    arrange: async ({ started, letExpire, expire, cancel }) => {
      const id = await started()
      await letExpire()
      return [expire, cancel(id)]
    },
    expected: { succeeding: [2], orders: [0] },
  },
  'cancellation and capture': {
    quantity: 1,
    arrange: async ({ paid, cancel, verify }) => {
      const money = await paid()
      return [cancel(money.order_id), verify(money)]
    },
    expected: { succeeding: [1, 2], orders: [0, 1] },
  },
  'order status and refund that returns the stock': {
    quantity: 1,
    arrange: async ({ db, paid, verify, ship, refundHalf }) => {
      const { _id } = await verify(await paid())(db)
      return [ship(_id), refundHalf(_id, true)]
    },
    expected: { succeeding: [2], orders: [1], refunds: 1 },
  },
  'invoices and invoices': {
    quantity: 2,
    arrange: async ({ db, paid, verify, invoicing }) => {
      await verify(await paid())(db)
      await verify(await paid())(db)
      return [invoicing, invoicing]
    },
    expected: { succeeding: [2], orders: [2] },
  },
  'invoices and capture': {
    quantity: 2,
    max: 60,
    arrange: async ({ db, paid, verify, invoicing }) => {
      await verify(await paid())(db)
      return [invoicing, verify(await paid())]
    },
    expected: { succeeding: [2], orders: [2] },
  },
  'two links that reset the password': {
    quantity: 1,
    max: 20,
    arrange: async ({ db, first, resetBy }) => [
      resetBy(await linkToken(db, first, 'reset_password')),
      resetBy(await linkToken(db, first, 'reset_password')),
    ],
    expected: { succeeding: [1], orders: [0] },
  },
  'price edit and start': {
    quantity: 1,
    arrange: async ({ editPrice, start, first }) => [editPrice, start(first)],
    expected: { succeeding: [1, 2], orders: [0], isQuoted: true },
  },
  'deletion and start': {
    quantity: 1,
    arrange: async ({ deletion, start, first }) => [deletion, start(first)],
    expected: { succeeding: [1, 2], orders: [0] },
  },
  'deletion and late capture': {
    quantity: 1,
    arrange: async ({ db, paid, letExpire, expire, deletion, verify }) => {
      const money = await paid()
      await letExpire()
      await expire(db)
      return [deletion, verify(money)]
    },
    expected: { succeeding: [1, 2], orders: [0, 1] },
  },
}
