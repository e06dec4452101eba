import type {
  ColumnType,
  Generated,
  GeneratedAlways,
  JSONColumnType,
  Kysely,
  Selectable,
  Transaction,
} from 'kysely'

/** The tables as the migrations leave them. Money is in minor units, ids are UUIDs. */
export type Schema = {
  users: {
    id: string
    name: string
    email: string
    email_key: string
    password_hash: string
    answer_hash: string
    phone: string
    address: string
    is_admin: Generated<boolean>
    created_at: Generated<Date>
    /** When its owner left; what was personal in it is gone. */
    closed_at: Date | null
    search: GeneratedAlways<string>
  }
  sessions: { token_hash: Buffer; user_id: string; created_at: Generated<Date>; expires_at: Date }
  /** Where an account has signed in, as keyed hashes. */
  known_networks: { user_id: string; network: Buffer; seen_at: Generated<Date> }
  categories: {
    id: string
    name: string
    name_key: string
    slug: string
    created_at: Generated<Date>
  }
  category_slugs: { slug: string; category_id: string }
  products: {
    id: string
    name: string
    slug: string
    description: string
    price_minor: number
    quantity: number
    category_id: string
    shipping: Generated<boolean>
    photo_version: string | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
    name_folded: GeneratedAlways<string>
    in_stock: GeneratedAlways<boolean>
    /** The words of the name, as the search finds them. */
    name_search: GeneratedAlways<string>
    /** The words of name and description. */
    search: GeneratedAlways<string>
  }
  product_slugs: { slug: string; product_id: string }
  product_photos: { product_id: string; width: number; format: PhotoFormat; bytes: Buffer }
  payments: {
    id: string
    user_id: string
    provider: 'razorpay' | 'sandbox'
    /** Unknown until the provider has opened its order. */
    provider_order_id: string | null
    amount_minor: number
    currency: string
    priced_cart: boolean
    /** Paid in the sandbox or with test keys. */
    test: Generated<boolean>
    created_at: Generated<Date>
    settled_at: Date | null
    /** The provider's public key at the start. */
    public_key: string | null
    next_poll_at: Date | null
    poll_attempts: Generated<number>
    last_poll_error: string | null
    failure: string | null
    prices_until: Generated<Date>
    cancelled_at: Date | null
  }
  /** Payments whose lines are taken out of products.quantity. */
  reservations: { payment_id: string; user_id: string; expires_at: Date }
  provider_payments: {
    id: string
    payment_id: string
    state: 'unmatched' | 'captured' | 'refund_pending' | 'refunding' | 'refunded' | 'voided'
    amount_minor: number
    currency: string
    confirmed_at: Date | null
    issue: 'capture_pending' | PaymentIssue | null
    resolved_at: Date | null
    resolution_note: string | null
    refusal_code: 'out_of_stock' | 'price_changed' | 'payment_failed' | null
    refusal: string | null
    refund_id: string | null
    refunded_minor: Generated<number>
    next_refund_at: Date | null
    refund_attempts: Generated<number>
    last_refund_error: string | null
    created_at: Generated<Date>
  }
  /** A view: every payment that did not simply pay its order; a null state is not listed. */
  payment_overview: {
    id: string
    payment_id: string
    state:
      | Exclude<Schema['provider_payments']['state'], 'captured'>
      | 'capture_pending'
      | PaymentIssue
      | 'resolved'
      | 'order_refunded'
      | 'started'
      | null
    created_at: Date
  }
  /** A view: what somebody has to look after. */
  payments_needing_attention: {
    id: string
    state: 'refund_pending' | 'unmatched' | 'capture_pending' | PaymentIssue
  }
  webhook_events: { id: string; received_at: Generated<Date> }
  sandbox_payments: {
    id: string
    provider_order_id: string
    created_at: Generated<Date>
    refunded_at: Date | null
  }
  payment_lines: Line & { payment_id: string }
  orders: {
    id: string
    payment_id: string
    user_id: string
    buyer_name: string
    buyer_email: string
    buyer_phone: string
    buyer_address: string
    status: ColumnType<OrderStatus, OrderStatus | undefined, OrderStatus>
    total_minor: number
    created_at: Generated<Date>
    search: GeneratedAlways<string>
    /** As of its payment. */
    test: Generated<boolean>
  }
  order_lines: Line & { order_id: string }
  /** Written by the database's triggers; actions without a change of a row by the shop. */
  audit_log: {
    id: GeneratedAlways<number>
    at: Generated<Date>
    actor_kind: Generated<'user' | 'admin' | 'provider' | 'shop' | 'owner'>
    actor_id: Generated<string | null>
    action:
      | 'insert'
      | 'update'
      | 'delete'
      | 'signed_in'
      | 'password_reset_by_answer'
      | 'sessions_ended'
    table_name: 'orders' | 'products' | 'categories' | 'users' | 'provider_payments'
    /** Of `provider_payments` the payment's id. */
    row_id: string
    before: Generated<Record<string, unknown> | null>
    after: Generated<Record<string, unknown> | null>
  }
  /** The rows of a file under import, checked, and not yet written. */
  import_rows: {
    import_id: string
    line: number
    product: string
    id: string | null
    slug: string | null
    seen_at: Date | null
    facts: JSONColumnType<object> | null
  }
  shop_facts: { key: string; value: string }
  /** What services changed lately, for the page caches. */
  change_feed: {
    transaction: Generated<string>
    tag: string
    /** For how long an answer with this tag may still be served while a new one is made. */
    stale_ms: number
    at: Generated<Date>
  }
}

/** As the order contract declares it; the compiler compares the two wherever rows become orders. */
type OrderStatus = 'Not Process' | 'Processing' | 'Shipped' | 'deliverd' | 'cancel'

/** What is wrong with the money of an order. */
type PaymentIssue = 'expired' | 'amount_mismatch' | 'paid_cancelled'

type Line = {
  position: number
  product_id: string
  quantity: number
  name: string
  slug: string
  description: string
  price_minor: number
}

export const PHOTO_FORMATS = ['avif', 'webp', 'jpeg'] as const
export type PhotoFormat = (typeof PHOTO_FORMATS)[number]

/** A connection to the database, or a transaction on it: what every store function starts with. */
export type Database = Kysely<Schema> | Transaction<Schema>
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>
