import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Schema } from './schema.generated.ts'

export type { Schema } from './schema.generated.ts'

export const PHOTO_FORMATS = ['avif', 'webp', 'jpeg'] as const
export type PhotoFormat = (typeof PHOTO_FORMATS)[number]

/** The database or a transaction of it: the first argument of every store function. */
export type Database = Kysely<Schema> | Transaction<Schema>
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>

// The types that the migrations do not have: those of JSON columns, and the states of views.

type PartOfOrder = 'order_id' | 'position'

/** A value of an option that a variant has, such as Red of Colour. */
export type StoredOption = { name: string; value: string }

/** A line of a quote, as an order stores it. */
export type Line = Omit<Selectable<Schema['order_lines']>, PartOfOrder>

/** A discount, shipping, fee or tax, as an order stores it. */
export type Adjustment = Omit<Selectable<Schema['order_adjustments']>, PartOfOrder>

/** An adjustment of a quote; a discount has its coupon, because its code may be given to another one. */
type QuotedAdjustment = Adjustment & { coupon_id?: string }

/** A quote as a payment stores it. */
export type StoredQuote = { lines: Line[]; adjustments: QuotedAdjustment[] }

/** The versions of the legal texts to which a buyer agreed, by their pages. */
export type StoredAgreement = Partial<Record<Selectable<Schema['legal_texts']>['page'], number>>

/** An address of a delivery or of an invoice, in parts; a part that was not given is empty. */
export type StoredAddress = {
  name: string
  street: string
  city: string
  region: string
  postalCode: string
  country: string
  phone: string
}

/** A buyer as a payment stores them. */
export type StoredContact = Record<'name' | 'email' | 'phone' | 'address', string>

/** The price of a delivery up to a weight or an amount. */
export type StoredTier = { up_to: number | null; price_minor: number }

type CaptureIssue =
  | NonNullable<Schema['captures']['issue']>
  | 'unknown'
  | 'capture_pending'
  | 'expired'

/** The states in which captures are listed that did not simply pay for an order. */
export type ListedState =
  | 'refund_pending'
  | 'refund_refused'
  | 'refunding'
  | 'refunded'
  | 'order_refunded'
  | 'voided'
  | 'unmatched'
  | 'disputed'
  | 'resolved'
  | CaptureIssue

/** The states of payments that need a review. */
export type PendingState =
  | 'refund_pending'
  | 'refund_refused'
  | 'disputed'
  | 'unmatched'
  | 'overdue'
  | CaptureIssue
