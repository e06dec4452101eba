/** Reasons for refunding a payment without an order. */
import { PAYMENT_FAILED } from '../contract.ts'

/** The reason why a payment has no order; `refusal` is a sentence for its payer. */
export type Refusal = {
  refusal_code: 'out_of_stock' | 'price_changed' | 'payment_failed'
  refusal: string
}

/** The refusal of money without a known cart. */
export const NOTHING_TO_SELL: Refusal = {
  refusal_code: 'payment_failed',
  refusal: `${PAYMENT_FAILED}.`,
}

/** The refusal of money for a cancelled payment. */
export const CANCELLED: Refusal = {
  refusal_code: 'payment_failed',
  refusal: 'This payment was cancelled before it was paid.',
}
