/** The events of a story. The scheduler decides in which order. */
import fc from 'fast-check'
import type { Fault } from './provider.ts'

const buyerPlan = fc.record({
  quantity: fc.integer({ min: 1, max: 2 }),
  hasCoupon: fc.boolean(),
  /** A second start replaces the first. */
  starts: fc.constantFrom(1, 1, 1, 2),
  pays: fc.constantFrom(
    'once',
    'once',
    'captured',
    'twice',
    'twice, captured',
    'another amount',
    'another amount, captured',
    'declined, then again',
    'declined, then late',
    'declined, then late, captured',
    'not',
    'by bank transfer',
  ),
  does: fc.constantFrom('verify', 'verify', 'verify twice', 'cancel', 'leave', 'forge', 'nothing'),
})
export type BuyerPlan = typeof buyerPlan extends fc.Arbitrary<infer Plan> ? Plan : never

const JOBS = [
  'expiry',
  'polls',
  'polls, every half an hour',
  'refunds',
  'refunds, again and again',
  'the bank ends refunds',
  'minutes pass',
  'half an hour passes',
  'refund of a part',
  'refund of a part, with return',
  'refund of a fifth',
  'two refunds of a fifth',
  'refund of the rest',
  'the provider repeats the webhook of a refund',
  'price edit',
  'deletion',
  'invoices',
  'a transfer is entered',
  'half of a transfer is entered twice',
  'an unpaid order is cancelled',
  'pieces are refunded and returned',
  'an order is cancelled with its money',
  'an order is placed by phone',
] as const
export type JobName = (typeof JOBS)[number]

/** Jobs and requests after a sale. */
const AFTER_SALE: JobName[] = [
  'refunds',
  'refunds, again and again',
  'the bank ends refunds',
  'refund of a part',
  'refund of a part, with return',
  'two refunds of a fifth',
  'pieces are refunded and returned',
  'an order is cancelled with its money',
  'the provider repeats the webhook of a refund',
  'half an hour passes',
]

export const storyPlan = fc.record({
  quantity: fc.integer({ min: 1, max: 3 }),
  buyers: fc.tuple(buyerPlan, buyerPlan),
  jobs: fc.oneof(
    fc.array(fc.constantFrom(...JOBS), { maxLength: 6 }),
    fc.array(fc.constantFrom(...AFTER_SALE), { minLength: 3, maxLength: 7 }),
  ),
  /** Whether they begin only when there is an order. */
  doJobsWait: fc.boolean(),
  /** How often each event of the provider is delivered, in their order; later ones once. */
  deliveries: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 6 }),
  faults: fc.array(fc.constantFrom<Fault>('none', 'none', 'no request', 'no answer'), {
    maxLength: 8,
  }),
  /** Whether a new refund is missing in the provider's list for a while. */
  listsLag: fc.boolean(),
  /** How many refunds the bank refuses, before it does not any more. */
  failingRefunds: fc.constantFrom(0, 0, 1),
  /** The number of the gate at which a process crashes. */
  crashAt: fc.option(fc.nat({ max: 25 }), { freq: 3 }),
})
export type StoryPlan = typeof storyPlan extends fc.Arbitrary<infer Plan> ? Plan : never
