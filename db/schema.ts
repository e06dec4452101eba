import type {
  ColumnType,
  Generated,
  GeneratedAlways,
  JSONColumnType,
  Kysely,
  Selectable,
  Transaction,
} from 'kysely'
import type { OrderStatus } from '#app/orders/contract.ts'
import type { ListSchema } from './list-schema.ts'

/** The tables as the migrations leave them. Money is in minor units, ids are UUIDs. */
export type Schema = ListSchema & {
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
    /** Grows with each product that comes. */
    number: Generated<number>
    name_folded: GeneratedAlways<string>
    price_band: GeneratedAlways<number>
    in_stock: GeneratedAlways<boolean>
  }
  /** What a search reads of a product; written by triggers. */
  search_entries: {
    product_id: string
    number: number
    category_id: string
    price_minor: number
    in_stock: boolean
    name_folded: string
    terms: number[]
  }
  /** In how many names each word stands, and in how many products, as counted last. */
  vocabulary: Word & { misspellings: GeneratedAlways<string[] | null> }
  /** What came and went since. */
  vocabulary_changes: Word & { misspellings: string[] | null }
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
    public_key: string | null
    next_ask_at: Date | null
    asks: Generated<number>
    ask_error: string | null
    failure: string | null
    prices_until: Generated<Date>
    cancelled_at: Date | null
  }
  /** Whose payment_lines are out of products.quantity. */
  holds: {
    payment_id: string
    user_id: string
    network: string
    expires_at: Date
  }
  /** For how long a network has held a product without a sale; gaps are taken out of it. */
  hold_spells: { network: string; product_id: string; began_at: Date; ended_at: Date }
  provider_payments: {
    id: string
    payment_id: string
    state: Generated<'unclaimed' | 'kept' | 'refund_due' | 'refunding' | 'refunded' | 'never_came'>
    amount_minor: number
    currency: string
    captured_at: Date | null
    doubt: 'uncaptured' | Doubt | null
    refusal_code: 'out_of_stock' | 'price_changed' | 'payment_failed' | null
    refusal: string | null
    refund_tries: Generated<number>
    next_refund_at: Date | null
    refund_asks: Generated<number>
    refund_id: string | null
    given_back_minor: Generated<number>
    refund_error: string | null
    seen_to_at: Date | null
    seen_note: string | null
    created_at: Generated<Date>
  }
  /** A view: what somebody has to look after. */
  payments_needing_attention: {
    id: string
    state: 'refund_due' | 'unclaimed' | 'uncaptured' | Doubt | 'unknown'
  }
  unknown_money: {
    id: string
    object_id: Generated<string>
    provider: 'razorpay' | 'sandbox'
    provider_order_id: string
    receipt: string | null
    amount_minor: number
    currency: string
    given_back_minor: Generated<number>
    paid_at: Date
    seen_to_at: Date | null
    seen_note: string | null
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
  /** Sums by day (UTC) and status, split over shards; test orders apart, which are no sales. */
  daily_sales: {
    day: string
    status: OrderStatus
    test: boolean
    shard: number
    orders: number
    revenue_minor: number
  }
  /** Sums by day; cancelled orders count for nothing, also not below. */
  daily_product_sales: {
    day: string
    product_id: string
    name: string
    pieces: number
    revenue_minor: number
  }
  /** Sums of the days from the one of recent_product_sales_start on. */
  recent_product_sales: { product_id: string; pieces: number; revenue_minor: number }
  recent_product_sales_start: { day: string }
  user_sales: { user_id: string; orders: number; spent_minor: number }
  /** How many orders stand at each status, split over shards; test orders apart. */
  order_counts: { status: OrderStatus; test: boolean; shard: number; orders: number }
  /** How many users there are, split over shards. */
  user_counts: { shard: number; users: number }
  /** Products with five pieces or fewer. */
  running_low: { product_id: string; quantity: number }
  /** Written by the database's triggers, and of accounts by what is done with them. */
  ledger: {
    id: GeneratedAlways<number>
    at: Generated<Date>
    transaction: Generated<string>
    actor_kind: 'user' | 'admin' | 'provider' | 'shop' | 'owner'
    actor_id: string | null
    object_kind: 'order' | 'payment' | 'hold' | 'money' | 'product' | 'category' | 'user'
    object_id: string
    action: 'create' | 'update' | 'delete'
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
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

/** What speaks against an order's money. */
type Doubt = 'lapsed' | 'other_amount' | 'paid_cancelled'

type Word = { word: string; stem: GeneratedAlways<string>; in_names: number; in_all: number }

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
