/** The facts that the template of each kind of e-mail needs, as stored in `emails.facts`. */
import type { OrderStatus } from '#app/orders/contract.ts'
import type { ConnectionName } from '#app/settings/connection-contract.ts'
import type { EmailKind } from '../admin-contract.ts'

/** The name of the recipient. */
type Named = { name: string }
/** The number of an order. */
type Numbered = Named & { number: number }

/** A connection, or how customers pay without a provider. */
export type GuardedSetting = ConnectionName | 'payment_methods'

export type Facts = {
  welcome: Named
  email_confirmation: Named
  order_confirmation: Numbered
  status_changed: Numbered & {
    status: OrderStatus
    /** Of the parcel, and the note to the customer; one that was queued before 0.5.0 has none. */
    carrier?: string | null
    tracking_number?: string | null
    note?: string | null
  }
  refund: Named & {
    /** Of an order; null for a payment without one. */
    number: number | null
    /** Of this refund, in minor units. */
    amount_minor: number
    /** Of all refunds of the payment. */
    refunded_minor: number
    paid_minor: number
    currency: string
    reason: string | null
    /** The day of the refund in the shop's time zone; one that was queued before 0.4.0 has none. */
    date?: string
    test: boolean
    /** Whether the merchant sends the money without a provider, and whether there is a credit note. */
    by_hand?: boolean
    credit_note?: boolean
  }
  password_changed: Named
  /** An admin gets no link. */
  password_reset: Named & { is_admin: boolean }
  new_sign_in: Named & { address: string; browser: string; at: string }
  /** To an admin. */
  new_order: Numbered
  /** Of an order that is not paid yet. */
  payment_reminder: Numbered
  /** An order that was placed unpaid is paid in full. */
  payment_received: Numbered
  /** To an admin: what decides where money or e-mails go was changed, by an admin of this name. */
  settings_changed: Named & { connection: GuardedSetting; by: string; at: string }
}

/** A kind of e-mail with its facts. */
export type EmailFacts<Kind extends EmailKind = EmailKind> = {
  [Each in Kind]: { kind: Each; facts: Facts[Each] }
}[Kind]
