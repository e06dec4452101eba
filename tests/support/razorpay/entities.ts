/** Razorpay's records, in the format of its API. Amounts are in minor units, times in seconds. */
import { randomBytes } from 'node:crypto'

/** The smallest amount of an order or a refund. */
export const minimumOf = (currency: string) => (currency === 'JPY' ? 1 : 100)

export type Order = {
  id: string
  entity: 'order'
  amount: number
  amount_paid: number
  amount_due: number
  currency: string
  receipt: string | null
  status: 'created' | 'attempted' | 'paid'
  attempts: number
  notes: object
  created_at: number
}

export type Payment = {
  id: string
  entity: 'payment'
  order_id: string
  amount: number
  currency: string
  status: 'authorized' | 'captured' | 'refunded' | 'failed'
  /** Stays true when the money is refunded; false for money that was released without a capture. */
  captured: boolean
  /** The sum of all refunds that did not fail, also of those that are pending. */
  amount_refunded: number
  refund_status: null | 'partial' | 'full'
  error_code: string | null
  error_description: string | null
  created_at: number
}

export type Refund = {
  id: string
  entity: 'refund'
  payment_id: string
  amount: number
  currency: string
  receipt: string | null
  notes: object
  status: 'pending' | 'processed' | 'failed'
  speed_requested: 'normal' | 'optimum'
  created_at: number
}

export type DisputeStatus = 'open' | 'under_review' | 'won' | 'lost' | 'closed'

export type Dispute = {
  id: string
  entity: 'dispute'
  payment_id: string
  amount: number
  currency: string
  /** The loss of the merchant's account: only of a lost dispute. */
  amount_deducted: number
  reason_code: string
  status: DisputeStatus
  phase: 'chargeback'
  created_at: number
}

export type NewId = (kind: 'order' | 'pay' | 'rfnd' | 'disp' | 'evt') => string

/** An id in Razorpay's format. */
export const randomId: NewId = (kind) => `${kind}_${randomBytes(7).toString('hex')}`

export const nowInSeconds = () => Math.floor(Date.now() / 1000)

/** A refusal of Razorpay. */
export class Refusal extends Error {
  status: number
  field: string | undefined

  constructor(
    description: string,
    { field, status = 400 }: { field?: string; status?: number } = {},
  ) {
    super(description)
    this.status = status
    this.field = field
  }

  /** As Razorpay answers it. */
  toBody() {
    const { message: description, field } = this
    const why = {
      source: 'business',
      step: 'payment_initiation',
      reason: 'input_validation_failed',
    }
    const error = { code: 'BAD_REQUEST_ERROR', description, ...why, metadata: {} }
    return { error: { ...error, ...(field && { field }) } }
  }
}

/** The sentences of Razorpay's refusals. */
export const REFUSALS = {
  unknown: 'The id provided does not exist',
  minimum: (currency: string) => `The amount must be at least ${currency} 1.00`,
  maximum: 'Amount exceeds maximum amount allowed.',
  currency: 'Currency is not supported',
  orderPaid: 'Order is already paid',
  alreadyCaptured: 'This payment has already been captured',
  captureAmount: 'Capture amount must be equal to the amount authorized',
  notAuthorised: 'This payment cannot be captured',
  notCaptured: 'The payment status should be captured for action to be taken',
  refundedAlready: 'The payment has been fully refunded already',
  refundTooLarge: 'The total refund amount is greater than the refund payment amount',
  tooOld: 'Refund is not supported by the bank because the payment is more than 6 months old',
  // Razorpay's documentation has no sentence for it
  disputed: 'Refund is not allowed while the payment is disputed',
  keyFormat: 'The idempotency key must be at least 10 characters long.',
  keyReused: 'Different request with the same idempotency key has already been processed.',
  keyInProgress: 'A request with the same idempotency key is in progress.',
}
