/** The values of text columns and enums that have a fixed set of them. */

/**
 * Equal to the status of the order contract; the compiler compares them where rows become orders.
 */
export type OrderStatus = 'Not Process' | 'Processing' | 'Shipped' | 'deliverd' | 'cancel'

/** The issue of an order's money. */
export type PaymentIssue =
  | 'capture_pending'
  | 'expired'
  | 'amount_mismatch'
  | 'paid_cancelled'
  | 'refunded_elsewhere'
  | 'refund_missing'
  | 'dispute_lost'

export type PaymentState =
  | 'created'
  | 'captured'
  | 'refund_pending'
  | 'refunded'
  | 'expired'
  | 'failed'

/** The tables whose changes the audit log has. */
export type AuditedTable =
  | 'orders'
  | 'products'
  | 'categories'
  | 'users'
  | 'payments'
  | 'unknown_payments'
  | 'coupons'
  | 'shipping_zones'
  | 'shipping_places'
  | 'shipping_rates'
  | 'tax_classes'
  | 'tax_rates'
  | 'tax_settings'
  | 'settings'

/** The purpose of a link in an e-mail. */
export type TokenPurpose = 'confirm_email' | 'reset_password'

export type EmailKind =
  | 'welcome'
  | 'email_confirmation'
  | 'order_confirmation'
  | 'status_changed'
  | 'refund'
  | 'password_changed'
  | 'password_reset'
  | 'new_sign_in'
  | 'new_order'

export type EmailState = 'queued' | 'parked' | 'sent' | 'kept' | 'bounced' | 'failed'
