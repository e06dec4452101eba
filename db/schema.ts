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
    surplus_of: string | null
    provider: 'razorpay' | 'sandbox' | 'none'
    state: ColumnType<PaymentState, PaymentState | undefined, PaymentState>
    test: Generated<boolean>
    created_at: Generated<Date>
    amount_minor: number
    currency: string
    quote: JSONColumnType<StoredQuote> | null
    reserved_until: Date | null
    public_key: string | null
    provider_order_id: string | null
    failure: string | null
    cancelled_at: Date | null
    provider_payment_id: string | null
    received_at: Date | null
    confirmed_at: Date | null
    paid_minor: number | null
    paid_currency: string | null
    issue: PaymentIssue | null
    resolved_at: Date | null
    resolution_note: string | null
    refusal_code: 'out_of_stock' | 'price_changed' | 'payment_failed' | null
    refusal: string | null
    refund_reason: string | null
    refund_minor: number | null
    refunded_minor: Generated<number>
    refund_id: string | null
    refund_accepted: Generated<boolean>
    next_attempt_at: Date | null
    attempts: Generated<number>
    last_error: string | null
  }
  webhook_events: {
    id: string
    received_at: Generated<Date>
  }
  sandbox_payments: {
    id: string
    provider_order_id: string
    refunded_minor: Generated<number>
  }
  coupons: {
    id: string
    code: string
    code_key: GeneratedAlways<string>
    percent: number | null
    amount_minor: number | null
    minimum_minor: Generated<number>
    product_ids: Generated<string[]>
    category_ids: Generated<string[]>
    starts_at: Date | null
    ends_at: Date | null
    max_uses: number | null
    max_uses_each: number | null
    is_combinable: Generated<boolean>
    uses: Generated<number>
    created_at: Generated<Date>
    deleted_at: Date | null
  }
  coupon_uses: {
    coupon_id: string
    payment_id: string
    user_id: string
    ordinal: number
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
    stock_returned_at: Date | null
    search: GeneratedAlways<string>
  }
  order_lines: Defaulted<Line, 'discount_minor' | 'tax_minor'> & {
    order_id: string
    position: number
  }
  order_adjustments: Defaulted<Adjustment, 'is_included' | 'tax_minor'> & {
    order_id: string
    position: number
  }
  /** A view. */
  payment_overview: {
    id: string
    created_at: Date
    state:
      | 'refund_pending'
      | 'refunding'
      | 'refunded'
      | 'order_refunded'
      | 'voided'
      | 'unmatched'
      | 'started'
      | 'resolved'
      | PaymentIssue
      | null
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
    table_name: 'orders' | 'products' | 'categories' | 'users' | 'payments' | 'coupons'
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

type PaymentState = 'created' | 'captured' | 'refund_pending' | 'refunded' | 'expired' | 'failed'

/** Columns, of which some have a default. */
type Defaulted<Columns, Name extends keyof Columns> = Omit<Columns, Name> & {
  [Column in Name]: Generated<Columns[Column]>
}

/** A line of a quote or an order; the columns are explained in the migration. */
type Line = {
  product_id: string
  quantity: number
  name: string
  slug: string
  description: string
  price_minor: number
  discount_minor: number
  tax_minor: number
}

/** What a total has beside its lines. */
type Adjustment = {
  kind: 'discount' | 'shipping' | 'tax'
  label: string
  source: string
  amount_minor: number
  is_included: boolean
  tax_minor: number
}

/** A quote as a payment stores it. */
export type StoredQuote = { lines: Line[]; adjustments: Adjustment[] }

export const PHOTO_FORMATS = ['avif', 'webp', 'jpeg'] as const
export type PhotoFormat = (typeof PHOTO_FORMATS)[number]

/** The database or a transaction of it: the first argument of every store function. */
export type Database = Kysely<Schema> | Transaction<Schema>
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>
