/** The facts that the template of each kind of e-mail needs: those of its event. */
import type { ConnectionName } from '#app/settings/connection-contract.ts'
import type { EventFacts } from '#app/shared/server/outbox/events.ts'
import type { EmailKind } from '../admin-contract.ts'

/** A connection, or how customers pay without a provider. */
export type GuardedSetting = ConnectionName | 'payment_methods'

type StatusFacts = EventFacts['order_sent']
type RefundFacts = EventFacts['refund_done']

export type Facts = {
  welcome: object
  email_confirmation: object
  order_confirmation: EventFacts['order_placed']
  /** A status that was set before 0.5.0 has no shipment. */
  status_changed: Pick<StatusFacts, 'number' | 'status'> & Partial<StatusFacts>
  /** A refund of a version before has fewer facts: before 0.4.0 no day. */
  refund: Omit<RefundFacts, 'refund_id' | 'date' | 'by_hand' | 'credit_note'> & Partial<RefundFacts>
  password_changed: object
  /** An admin gets no link. */
  password_reset: EventFacts['password_reset_requested']
  new_sign_in: EventFacts['admin_signed_in']
  /** To an admin. */
  new_order: EventFacts['order_placed']
  /** Of an order that is not paid yet. */
  payment_reminder: EventFacts['payment_overdue']
  /** An order that was placed unpaid is paid in full. */
  payment_received: EventFacts['order_paid']
  /** To an admin: what decides where money or e-mails go was changed. */
  settings_changed: EventFacts['settings_changed'] & { connection: GuardedSetting }
}

/** A kind of e-mail with its facts. */
export type EmailFacts<Kind extends EmailKind = EmailKind> = {
  [Each in Kind]: { kind: Each; facts: Facts[Each] }
}[Kind]
