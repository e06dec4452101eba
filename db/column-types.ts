/** What `schema.generated.ts` cannot read from the migrations: the types of JSON columns, and the states of views. */
import type { Schema } from './schema.generated.ts'

/** A line of a quote or an order; the columns are explained in the migration. */
export type Line = {
  product_id: string
  quantity: number
  name: string
  slug: string
  description: string
  price_minor: number
  discount_minor: number
  tax_minor: number
  tax_rate: number | null
}

/** What a total has beside its lines. */
export type Adjustment = {
  kind: 'discount' | 'shipping' | 'tax'
  label: string
  source: string
  amount_minor: number
  is_included: boolean
  tax_minor: number
  tax_rate: number | null
  basis_minor: number | null
}

/** The same in a quote; a discount has its coupon, because its code may be given to another one. */
export type QuotedAdjustment = Adjustment & { coupon_id?: string }

/** A quote as a payment stores it. */
export type StoredQuote = { lines: Line[]; adjustments: QuotedAdjustment[] }

/** A delivery address in parts; a part that was not given is empty. */
export type StoredAddress = {
  name: string
  street: string
  city: string
  region: string
  postalCode: string
  country: string
  phone: string
}

/** The price of a delivery up to a weight or an amount. */
export type StoredTier = { up_to: number | null; price_minor: number }

type PaymentIssue = NonNullable<Schema['payments']['issue']>

/** What a payment that did not simply pay its order is listed as. */
export type ListedState =
  | 'refund_pending'
  | 'refund_refused'
  | 'refunding'
  | 'refunded'
  | 'order_refunded'
  | 'voided'
  | 'unmatched'
  | 'started'
  | 'disputed'
  | 'resolved'
  | PaymentIssue

/** The states of payments that somebody has to look into. */
export type PendingState =
  | 'refund_pending'
  | 'refund_refused'
  | 'disputed'
  | 'unmatched'
  | 'unknown'
  | PaymentIssue
