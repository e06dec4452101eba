import { expect, it } from 'vitest'
import type { Order } from '../contract.ts'
import { paymentFact } from './payment-fact.ts'

const factOf = (facts: Partial<Order>) =>
  paymentFact({
    total: 10,
    payment: { razorpay_payment_id: 'pay_1', razorpay_order_id: 'order_1' },
    ...facts,
  } as Order)

const byTransfer = (received: number) => ({
  paymentMethod: { method: 'bank_transfer' as const, name: 'Bank transfer', received },
})
const NO_MONEY = { payment: { razorpay_payment_id: '', razorpay_order_id: 'order_1' } }

it.each<[string, Partial<Order>]>([
  ['Success', {}],
  ['Failed', NO_MONEY],
  ['Unpaid', { ...NO_MONEY, ...byTransfer(0) }],
  ['Partly paid', byTransfer(9.99)],
  ['Success', byTransfer(10)],
  ['Success · not captured yet', { capture: 'pending' }],
  ['Success · not captured', { capture: 'missing' }],
  ['Success · refund on its way', { refundPending: true, refunded: 2 }],
  ['Success · partly refunded', { refunded: 9.99, refundReason: 'late' }],
  ['Success · refunded', { refunded: 10 }],
  ['Success · refunded', { total: 0, refundReason: 'late' }],
])('says %s', (fact, facts) => {
  expect(factOf(facts)).toBe(fact)
})
