import type { PaymentMode, PaymentProof } from '#app/payments/contract.ts'

/** An amount at the provider, in minor units; it may include the provider's fees and discounts. */
export type Amount = { amountMinor: number; currency: string }

/** An order to open at the provider; `receipt` is the shop's id of the payment. */
export type OrderRequest = Amount & { receipt: string }

/**
 * A payment at the provider. `authorised`: the bank has reserved the money; `captured`: the provider
 * has it; `refunded`: all of it was refunded, or the authorisation was released.
 */
export type ProviderPayment = Amount & {
  id: string
  /** The amount that the provider has refunded or is refunding, by any request, in minor units. */
  refundedMinor: number
  /** `refunded`: all of it, or it is being refunded, after its capture; `released`: it was never captured. */
  status: 'captured' | 'authorised' | 'failed' | 'refunded' | 'released'
}

/** An order at the provider. */
export type ProviderOrder = Amount & { isPaid: boolean }

/** The refunds of a payment, by any request, in minor units. */
export type RefundProgress = {
  /** Refunded for good. */
  refundedMinor: number
  /** Accepted by the provider; it may still fail. */
  pendingMinor: number
  /** The provider's id of the newest refund that did not fail. */
  refundId: string | null
  /** The provider's ids of the refunds that failed. */
  failedIds: string[]
}

/** The refunds of a payment, and its captured amount as the provider has it. */
export type Refund = RefundProgress & { amountMinor: number }

/** How much of a payment is to be refunded. */
export type RefundRequest = {
  /** The captured amount as far as the shop knows. */
  storedMinor: number
  /** The sum of this refund and all before it; null: everything. */
  totalRefundMinor: number | null
  /** The sum of earlier refunds as far as the shop knows: the provider's list may lag behind. */
  doneMinor: number
  /** The idempotency key: the same for a request that is repeated, another for each refund. */
  key: string
}

/**
 * The payment provider. Its calls use the network: never make them inside a transaction. They throw
 * `unavailable` and log the cause when the provider does not answer, and `not_found`, with the
 * provider's message, when it refuses one order or payment.
 */
export type PaymentProvider = {
  name: 'razorpay' | 'sandbox'
  /** Whether payments take money, or are tests; with `none`, no payment can be started. */
  mode: PaymentMode
  /** The public key for the browser's dialog. */
  publicKey: string
  /** The script that defines the browser's dialog as `window.Razorpay`. */
  checkoutScript: string
  /** The address of a payment in the provider's dashboard; null where there is none. */
  paymentLink(providerPaymentId: string): string | null
  /** The smallest amount of an order and of a refund, in minor units of the currency, where there is one. */
  minimumMinor?(currency: string): number
  /** The id of a new order, where the shop may choose it: then the order needs no `createOrder`. */
  chooseOrderId?(): string
  /** Whether an order that was not paid may be paid by another attempt. Then it is paid once at most. */
  allowsRetries(currency: string): boolean
  /** Opens an order and answers its id; throws `conflict`, with the reason, when the provider refuses it. */
  createOrder(order: OrderRequest): Promise<string>
  /** Whether the provider signed this payment of this order. Never throws. */
  verifySignature(proof: PaymentProof): boolean
  /** The payments of an order. */
  paymentsOf(providerOrderId: string): Promise<ProviderPayment[]>
  /** Captures an authorised payment; false when it cannot be captured, or not yet. */
  capture(providerPaymentId: string, amount: Amount): Promise<boolean>
  orderOf(providerOrderId: string): Promise<ProviderOrder>
  /**
   * Refunds a payment, up to `totalRefundMinor` or else the rest of it, and returns the progress. The provider
   * knows the captured amount; a provider that does not uses `storedMinor`. Idempotent by `key`.
   */
  refund(providerPaymentId: string, request: RefundRequest): Promise<Refund>
  refundProgress(providerPaymentId: string): Promise<RefundProgress>
}
