/** Events: what happened in the shop, inserted in the transaction in which it did. */
import type { Row } from '#db/schema.ts'

export type EventKind = Row<'events'>['kind']

type Numbered = {
  /** Of the order. */
  number: number
}

type StatusFacts = Numbered & {
  status: Row<'orders'>['status']
  /** Of the parcel, and the note to the customer. */
  carrier: string | null
  tracking_number: string | null
  note: string | null
}

/** The facts of each kind of event: what may change, or be gone, when a reader delivers it. */
export type EventFacts = {
  order_placed: Numbered
  /** In full: at once, or later by money that an admin has entered. */
  order_paid: Numbered
  /** It got the status Shipped, or another shipment. */
  order_sent: StatusFacts
  /** Any other status. */
  order_status_changed: StatusFacts
  payment_overdue: Numbered
  refund_done: {
    refund_id: string
    /** Of the order; null for a payment without one. */
    number: number | null
    /** Of this refund, in minor units. */
    amount_minor: number
    /** Of all refunds of the payment. */
    refunded_minor: number
    paid_minor: number
    currency: string
    reason: string | null
    /** The day of the refund in the shop's time zone. */
    date: string
    test: boolean
    /** Whether the merchant sends the money without a provider, and whether there is a credit note. */
    by_hand: boolean
    credit_note: boolean
  }
  sold_out: object
  back_in_stock: object
  product_published: object
  account_created: object
  email_confirmation_requested: object
  password_changed: object
  password_reset_requested: { is_admin: boolean }
  /** From a network or in a browser that was not used lately. */
  admin_signed_in: { address: string; browser: string; at: string }
  /** A connection, or how customers pay without a provider, by an admin of this name. */
  settings_changed: { connection: string; by: string; at: string }
}

/** Kinds that triggers write, because many statements change stock and publication. */
type Triggered = 'sold_out' | 'back_in_stock' | 'product_published'

export type NewEvent = {
  [Kind in Exclude<EventKind, Triggered>]: {
    kind: Kind
    /** The id of the row that it is about; none for settings. */
    subjectId?: string
    /** Whether the people whom it concerns get an e-mail about it; true by default. */
    notify?: boolean
    facts: EventFacts[Kind]
  }
}[Exclude<EventKind, Triggered>]
