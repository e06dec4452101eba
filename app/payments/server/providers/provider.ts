import type { PaymentMode, PaymentProof } from '#app/payments/contract.ts'

/** What a provider is asked to collect; `receipt` is our own id of the payment. */
export type Demand = { amountMinor: number; currency: string; receipt: string }

/** Money as the provider counts it, in minor units; fees and discounts of its own are in it. */
export type Amount = { amountMinor: number; currency: string }

/**
 * A payment as the provider has it: `captured`, it came in; `authorised`, the customer's bank has
 * promised it; `failed`, it never came in; `refunded`, all of it is back, also what was promised only.
 */
export type ProviderPayment = Amount & {
  id: string
  status: 'captured' | 'authorised' | 'failed' | 'refunded'
}

/** The provider's own order: what it asks for, and whether that was paid. */
export type ProviderOrder = Amount & { isPaid: boolean }

/** What went back of a payment, whoever gave it back; in minor units. */
export type GivenBack = {
  /** For good. */
  doneMinor: number
  /** The provider has taken it on, and it may still fail. */
  underWayMinor: number
  /** The provider's id of the newest refund that did not fail; null where it has none. */
  refundId: string | null
  /** The provider's id of the newest refund, where it has failed. */
  failedId?: string | undefined
}

/** What went back by a refund, of how much that came in as the provider counts it, in minor units. */
export type Refund = GivenBack & { amountMinor: number }

/** Money that the provider has, and for which of its orders. */
export type CapturedPayment = Amount & { id: string; providerOrderId: string; paidAt: Date }

/** How much of a payment went back, in minor units. */
export type Refunded = { providerPaymentId: string; doneMinor: number }

/**
 * Who takes the money. Its calls go over a network: never make them inside a transaction.
 * They throw `unavailable` when the provider does not answer, and have logged why. What is asked
 * about one order or payment throws `not_found`, in the provider's words, when it will not tell of
 * that one.
 */
export type PaymentProvider = {
  name: 'razorpay' | 'sandbox'
  /** Whether it takes money, or only plays it; with `none`, no payment can be started. */
  mode: PaymentMode
  /** What the browser's dialog is opened with. */
  publicKey: string
  /** The script that defines the browser's dialog as `window.Razorpay`. */
  checkoutScript: string
  /** Opens an order at the provider and answers its id; throws `invalid` when it refuses the amount. */
  createOrder(demand: Demand): Promise<string>
  /** Whether the provider signed this payment of this order. Never throws, whatever it is given. */
  verifySignature(proof: PaymentProof): boolean
  /** The payments of an order; to ask changes nothing. None yet is no failure. */
  paymentsOf(providerOrderId: string): Promise<ProviderPayment[]>
  /** Takes so much of what a bank has promised; false when it cannot be taken, or not yet. */
  capture(providerPaymentId: string, amount: Amount): Promise<boolean>
  orderOf(providerOrderId: string): Promise<ProviderOrder>
  /**
   * Has all of a payment given back that is not back or on its way already, and answers how far
   * that is. How much came in the provider knows; where it does not, it is what was booked. Asked
   * again, it gives nothing twice.
   */
  refund(providerPaymentId: string, bookedMinor: number): Promise<Refund>
  /** How far the refunds of a payment are. */
  givenBack(providerPaymentId: string): Promise<GivenBack>
  /** What went back for good by refunds that were begun since then, whoever began them. */
  refundedSince(moment: Date): Promise<Refunded[]>
  /** What came in of payments that were begun since then, whoever has asked for it. */
  capturedSince(moment: Date): Promise<CapturedPayment[]>
  /** What whoever opened an order has called it; null when they did not. */
  receiptOf(providerOrderId: string): Promise<string | null>
}

/** The part of a logger that payments use. */
export type Log = {
  debug(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}
