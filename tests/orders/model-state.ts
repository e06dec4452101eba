/** The states of the model, and the duties of the shop in it. */
import type { PaymentState } from '#app/payments/server/transitions.ts'
import type { Money, MoneyRules } from './model-money.ts'

export const QUANTITY = 2

/** A started payment of one piece. */
export type Payment = {
  buyer: number
  state: PaymentState
  hasCoupon: boolean
  /** Whether the provider has its order: not when the shop crashed before. */
  hasProviderOrder: boolean
  /** Whether it was placed unpaid, to be paid without a provider. */
  isByHand: boolean
  /** Whether the bank has declined an attempt; another one, or the same later, may succeed. */
  isDeclined: boolean
  /** The first, and perhaps other money for the same order. */
  money: Money[]
}

/** `hasFault`: a process has crashed, or the bank has done something rare. */
export type State = { free: number; coupons: number; hasFault: boolean; payments: Payment[] }

/** Duties of the shop; a model without one of them has a bug. */
export type Rules = MoneyRules & {
  takesStockAgain: boolean
  takesCouponAgain: boolean
  endsOnlyPayable: boolean
  keepsDeclined: boolean
  pollsDeclined: boolean
  returnsUnpaid: boolean
}
export const RIGHT: Rules = {
  takesStockAgain: true,
  takesCouponAgain: true,
  endsOnlyPayable: true,
  keepsDeclined: true,
  pollsDeclined: true,
  returnsUnpaid: true,
  releasesOnlyUnconfirmed: true,
}

export const INITIAL: State = { free: QUANTITY, coupons: 1, hasFault: false, payments: [] }
