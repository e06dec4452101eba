import type {
  ColumnType,
  Generated,
  GeneratedAlways,
  JSONColumnType,
  Kysely,
  Selectable,
  Transaction,
} from 'kysely'

/**
 * The tables and views of `migrations/0001_shop.sql`, in its order; the meaning of columns is explained
 * there. Money is in minor units, ids are UUIDs.
 */
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
    closed_at: Date | null
    search: GeneratedAlways<string>
  }
  sessions: {
    token_hash: Buffer
    user_id: string
    created_at: Generated<Date>
    expires_at: Date
  }
  known_networks: {
    user_id: string
    network: Buffer
    seen_at: Generated<Date>
  }
  categories: {
    id: string
    name: string
    name_key: string
    slug: string
  }
  category_slugs: {
    slug: string
    category_id: string
  }
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
    name_search: GeneratedAlways<string>
    search: GeneratedAlways<string>
  }
  product_slugs: {
    slug: string
    product_id: string
  }
  product_photos: {
    product_id: string
    width: number
    format: PhotoFormat
    bytes: Buffer
  }
  payments: {
    id: string
    user_id: string
    provider: 'razorpay' | 'sandbox'
    provider_order_id: string | null
    public_key: string | null
    amount_minor: number
    currency: string
    priced_cart: boolean
    test: Generated<boolean>
    prices_until: Date
    cancelled_at: Date | null
    failure: string | null
    next_poll_at: Date | null
    poll_attempts: Generated<number>
    last_poll_error: string | null
    created_at: Generated<Date>
    settled_at: Date | null
  }
  payment_lines: Line & { payment_id: string }
  provider_payments: {
    id: string
    payment_id: string
    state: 'unmatched' | 'captured' | 'refund_pending' | 'refunding' | 'refunded' | 'voided'
    amount_minor: number
    currency: string
    confirmed_at: Date | null
    issue: PaymentIssue | null
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
  webhook_events: {
    id: string
    received_at: Generated<Date>
  }
  sandbox_payments: {
    id: string
    provider_order_id: string
    refunded_at: Date | null
  }
  reservations: {
    payment_id: string
    user_id: string
    expires_at: Date
  }
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
    test: Generated<boolean>
    created_at: Generated<Date>
    search: GeneratedAlways<string>
  }
  order_lines: Line & { order_id: string }
  /** A view. */
  payment_overview: {
    id: string
    payment_id: string
    state:
      | Exclude<Schema['provider_payments']['state'], 'captured'>
      | PaymentIssue
      | 'resolved'
      | 'order_refunded'
      | 'started'
      | null
    created_at: Date
  }
  /** A view. */
  payments_needing_attention: {
    id: string
    state: 'refund_pending' | 'unmatched' | PaymentIssue
  }
  /** Triggers write the entries of changed rows; a service inserts events of accounts. */
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
    /** Of `provider_payments` the id of the payment. */
    row_id: string
    before: Generated<Record<string, unknown> | null>
    after: Generated<Record<string, unknown> | null>
  }
  change_feed: {
    transaction: Generated<string>
    tag: string
    stale_ms: number
    at: Generated<Date>
  }
  import_rows: {
    import_id: string
    line: number
    product: string
    id: string | null
    slug: string | null
    seen_at: Date | null
    facts: JSONColumnType<object> | null
  }
  shop_facts: {
    key: string
    value: string
  }
}

/**
 * Equal to the status of the order contract; the compiler compares them where rows become orders.
 */
type OrderStatus = 'Not Process' | 'Processing' | 'Shipped' | 'deliverd' | 'cancel'

/** The issue of an order's money. */
type PaymentIssue = 'capture_pending' | 'expired' | 'amount_mismatch' | 'paid_cancelled'

/** A product as offered or sold. */
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

/** The database or a transaction of it: the first argument of every store function. */
export type Database = Kysely<Schema> | Transaction<Schema>
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>
