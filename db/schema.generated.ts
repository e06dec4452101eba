// npm run schema writes it from db/migrations.
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { ListedState, PendingState, StoredAddress, StoredAgreement, StoredContact, StoredOption, StoredQuote, StoredTier } from './schema.ts'

/** The tables and views; the migrations explain their columns. Money is in minor units, ids are UUIDs. */
export type Schema = {
  account_tokens: {
    token_hash: Buffer
    user_id: string
    purpose: 'confirm_email' | 'reset_password'
    created_at: Generated<Date>
    expires_at: Date
  }
  attribute_choices: {
    id: string
    attribute_id: string
    position: number
    name: string
    name_folded: GeneratedAlways<string>
  }
  attributes: {
    id: string
    name: string
    name_folded: GeneratedAlways<string>
    kind: 'choice' | 'number' | 'text' | 'yes_no'
    unit: string | null
    is_filterable: boolean
    created_at: Generated<Date>
    updated_at: Generated<Date>
  }
  audit_log: {
    id: GeneratedAlways<number>
    at: Generated<Date>
    actor_kind: Generated<'admin' | 'owner' | 'provider' | 'shop' | 'user'>
    actor_id: Generated<string | null>
    action: 'delete' | 'insert' | 'password_reset_by_answer' | 'password_reset_by_link' | 'sessions_ended' | 'signed_in' | 'update'
    table_name: 'attribute_choices' | 'attributes' | 'captures' | 'categories' | 'coupons' | 'option_values' | 'order_notes' | 'orders' | 'payments' | 'product_attributes' | 'product_options' | 'product_photos' | 'products' | 'refund_lines' | 'refunds' | 'returned_lines' | 'settings' | 'shipping_places' | 'shipping_rates' | 'shipping_zones' | 'stored_settings' | 'tax_classes' | 'tax_rates' | 'tax_settings' | 'unknown_payments' | 'user_notes' | 'users' | 'variants'
    row_id: string
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
    change_id: Generated<string | null>
    reason: Generated<string | null>
  }
  capture_overview: {
    id: string
    listed_at: Date
    state: ListedState | 'paid'
  }
  captures: {
    id: string
    payment_id: string | null
    provider: string
    provider_order_id: string | null
    provider_payment_id: string
    amount_minor: number
    currency: string
    received_at: Generated<Date>
    confirmed_at: Date | null
    voided_at: Date | null
    received_by: string | null
    purpose: 'nothing' | 'order' | 'undecided' | 'unknown'
    refusal_code: 'out_of_stock' | 'payment_failed' | 'price_changed' | null
    refusal: string | null
    disputed_minor: Generated<number>
    issue: 'amount_mismatch' | 'dispute_lost' | 'paid_cancelled' | 'refund_missing' | 'refunded_elsewhere' | null
    resolved_at: Date | null
    resolution_note: string | null
    received_as: 'card_terminal' | 'cash' | 'transfer' | null
  }
  categories: {
    id: string
    name: string
    name_key: string
    slug: string
    name_search: GeneratedAlways<string>
  }
  category_slugs: {
    slug: string
    category_id: string
  }
  change_feed: {
    transaction: Generated<string>
    tag: string
    stale_ms: number
    at: Generated<Date>
  }
  coupon_uses: {
    coupon_id: string
    payment_id: string
    user_id: string
    ordinal: number
  }
  coupons: {
    id: string
    code: string
    code_key: GeneratedAlways<string>
    percent: number | null
    amount_minor: number | null
    minimum_minor: Generated<number>
    product_ids: Generated<Array<string>>
    category_ids: Generated<Array<string>>
    starts_at: Date | null
    ends_at: Date | null
    max_uses: number | null
    max_uses_each: number | null
    is_combinable: Generated<boolean>
    uses: Generated<number>
    created_at: Generated<Date>
    deleted_at: Date | null
    title: string | null
    is_free_shipping: Generated<boolean>
    audience: Generated<'chosen' | 'confirmed' | 'everybody' | 'first_order'>
    user_ids: Generated<Array<string>>
  }
  credit_notes: {
    number: number
    refund_id: string
    invoice_number: number
    amount_minor: number
    issued_at: Generated<Date>
    issued_on: string
    seller_name: string
    seller_address: string
    seller_tax_number: string
  }
  credit_notes_due: {
    refund_id: string
  }
  disputes: {
    id: string
    state: 'closed' | 'lost' | 'open' | 'won'
    created_at: Generated<Date>
    capture_id: string
  }
  emails: {
    id: Generated<string>
    user_id: string
    kind: 'email_confirmation' | 'new_order' | 'new_sign_in' | 'order_confirmation' | 'password_changed' | 'password_reset' | 'payment_received' | 'payment_reminder' | 'refund' | 'settings_changed' | 'status_changed' | 'welcome'
    recipient: string
    created_at: Generated<Date>
    state: Generated<'bounced' | 'failed' | 'kept' | 'parked' | 'queued' | 'sent'>
    next_attempt_at: Generated<Date | null>
    expires_at: Generated<Date>
    attempts: Generated<number>
    last_error: string | null
    sent_at: Date | null
    event_id: string
    name: string
    read_at: Date | null
  }
  events: {
    id: Generated<string>
    kind: 'account_created' | 'admin_signed_in' | 'back_in_stock' | 'email_confirmation_requested' | 'order_paid' | 'order_placed' | 'order_sent' | 'order_status_changed' | 'password_changed' | 'password_reset_requested' | 'payment_overdue' | 'product_published' | 'refund_done' | 'settings_changed' | 'sold_out'
    subject_id: string | null
    notify: Generated<boolean>
    facts: JSONColumnType<object>
    created_at: Generated<Date>
  }
  facets: {
    key: string
    name: string
    value: string
    position: number
    number: number | null
    swatch: string | null
  }
  facets_of_products: {
    product_id: string
    value_id: string
    name: string
    value: string
    position: number
    number: number
    swatch: string
  }
  first_run_codes: {
    code_hash: Buffer
    created_at: Generated<Date>
  }
  former_coupon_users: {
    user_id: string
    address_hash: Buffer
  }
  invoices: {
    number: number
    order_id: string
    issued_at: Generated<Date>
    issued_on: string
    seller_name: string
    seller_address: string
    seller_tax_number: string
  }
  invoices_due: {
    order_id: string
  }
  known_places: {
    user_id: string
    kind: 'browser' | 'network'
    place: Buffer
    seen_at: Generated<Date>
  }
  legal_texts: {
    page: 'delivery' | 'imprint' | 'returns' | 'terms'
    version: number
    text: string
    is_empty: GeneratedAlways<boolean>
    created_at: Generated<Date>
  }
  listings: {
    product_id: string
    listed_variant_id: string
    list_price_minor: number
    list_price_until: Date | null
    in_stock: boolean
    has_options: boolean
  }
  option_values: {
    id: string
    product_id: string
    slot: number
    position: number
    name: string
    name_folded: GeneratedAlways<string>
    swatch: string | null
  }
  order_adjustments: {
    order_id: string
    position: number
    kind: 'discount' | 'fee' | 'shipping' | 'tax'
    label: string
    source: string
    amount_minor: number
    is_included: Generated<boolean>
    tax_minor: Generated<number>
    tax_rate: number | null
    basis_minor: number | null
  }
  order_lines: {
    order_id: string
    position: number
    product_id: string
    quantity: number
    name: string
    slug: string
    description: string
    price_minor: number
    discount_minor: Generated<number>
    tax_minor: Generated<number>
    tax_rate: number | null
    variant_id: string | null
    cart_id: string | null
    sku: string | null
    options: JSONColumnType<StoredOption[]> | null
  }
  order_notes: {
    id: string
    order_id: string
    author_id: string
    text: string
    created_at: Generated<Date>
  }
  orders: {
    id: string
    number: GeneratedAlways<number>
    payment_id: string
    user_id: string
    buyer_name: string
    buyer_email: string
    buyer_phone: string
    buyer_address: string
    delivery: JSONColumnType<StoredAddress> | null
    status: Generated<'Not Process' | 'Processing' | 'Shipped' | 'cancel' | 'deliverd'>
    total_minor: number
    test: Generated<boolean>
    created_at: Generated<Date>
    stock_returned_at: Date | null
    mailed_statuses: Generated<Array<'Not Process' | 'Processing' | 'Shipped' | 'cancel' | 'deliverd'>>
    search: GeneratedAlways<string>
    currency: string
    carrier: string | null
    tracking_number: string | null
    customer_note: string | null
    billing: JSONColumnType<StoredAddress & { text: string }> | null
    payer_address: string | null
  }
  owed_overview: {
    id: string
    listed_at: Date
    state: 'owed' | 'overdue'
  }
  payment_exceptions: {
    id: string
    listed_at: Date
    state: ListedState | 'started' | 'owed' | 'overdue'
  }
  payments: {
    id: string
    user_id: string
    provider: string
    state: Generated<'cancelled' | 'expired' | 'open' | 'owed' | 'paid'>
    test: Generated<boolean>
    created_at: Generated<Date>
    amount_minor: number
    currency: string
    quote: JSONColumnType<StoredQuote> | null
    delivery: JSONColumnType<StoredAddress & { text: string }> | null
    reserved_until: Date | null
    public_key: string | null
    provider_order_id: string | null
    failure: string | null
    cancelled_at: Date | null
    next_attempt_at: Date | null
    attempts: Generated<number>
    last_error: string | null
    network: string | null
    starts: Generated<number>
    due_at: Date | null
    reminded_at: Date | null
    placed_by: string | null
    agreed_texts: JSONColumnType<StoredAgreement> | null
    agreed_at: Date | null
    networks: Array<string> | null
    billing: JSONColumnType<StoredAddress & { text: string }> | null
    buyer: JSONColumnType<StoredContact> | null
  }
  payments_needing_attention: {
    id: string
    listed_at: Date
    state: PendingState
  }
  pictures: {
    width: number
    format: 'avif' | 'jpeg' | 'webp'
    bytes: Buffer
    id: string | null
    full_width: number | null
    full_height: number | null
    used_at: Date | null
    photo_id: string | null
  }
  product_attributes: {
    product_id: string
    attribute_id: string
    choice_id: string | null
    value: string | null
  }
  product_options: {
    product_id: string
    slot: number
    position: number
    name: string
    name_folded: GeneratedAlways<string>
  }
  product_photos: {
    id: string
    product_id: string
    position: number
    alt: Generated<string>
    version: string
  }
  product_slugs: {
    slug: string
    product_id: string | null
  }
  product_words: {
    product_id: string
    words: string
  }
  products: {
    id: string
    name: string
    slug: string
    description: string
    category_id: string
    shipping: Generated<boolean>
    tax_class_id: string | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
    name_folded: GeneratedAlways<string>
    name_search: GeneratedAlways<string>
    search: GeneratedAlways<string>
    listed_variant_id: string
    status: Generated<'archived' | 'draft' | 'published'>
    publish_at: Date | null
    unpublish_at: Date | null
    list_price_minor: Generated<number>
    list_price_until: Date | null
    in_stock: Generated<boolean>
    has_options: Generated<boolean>
  }
  provider_records: {
    provider: string
    key: string
    value: JSONColumnType<object>
  }
  rate_limits: {
    key: string
    points: Generated<number>
    expire: number | null
  }
  refund_lines: {
    refund_id: string
    order_id: string
    kind: 'fee' | 'product' | 'shipping'
    position: number
    quantity: number
    amount_minor: number
    discount_minor: number
    tax_minor: number
  }
  refunds: {
    id: string
    capture_id: string
    amount_minor: number
    reason: string | null
    requested_by: string | null
    created_at: Generated<Date>
    state: 'accepted' | 'done' | 'failed' | 'given_up' | 'pending'
    done_at: Date | null
    provider_refund_id: string | null
    attempt: Generated<number>
    next_attempt_at: Date | null
    attempts: Generated<number>
    last_error: string | null
    request_key: string | null
    is_mailed: Generated<boolean>
  }
  reset_requests: {
    id: string
    email_key: string
    created_at: Generated<Date>
  }
  returned_lines: {
    order_id: string
    position: number
    sold: number
    quantity: number
    returned_at: Generated<Date>
  }
  sessions: {
    token_hash: Buffer
    user_id: string
    created_at: Generated<Date>
    expires_at: Date
  }
  settings: {
    name: 'shop' | 'taxes'
    version: Generated<number>
    value: JSONColumnType<object>
    time_zone: GeneratedAlways<string | null>
    mails_orders: GeneratedAlways<boolean | null>
    shipping_class_id: GeneratedAlways<string | null>
    payment_methods: GeneratedAlways<JSONColumnType<object> | null>
    country: GeneratedAlways<string | null>
    currency: GeneratedAlways<string | null>
  }
  shipping_places: {
    zone_id: string
    country: string
    region: string | null
  }
  shipping_rates: {
    id: string
    zone_id: string
    position: number
    name: string
    kind: 'amount' | 'flat' | 'pickup' | 'weight'
    price_minor: number | null
    tiers: JSONColumnType<StoredTier[]> | null
    free_from_minor: number | null
    least_days: number | null
    most_days: number | null
  }
  shipping_zones: {
    id: string
    name: string
    is_default: Generated<boolean>
    updated_at: Generated<Date>
  }
  shop_facts: {
    key: string
    value: string
  }
  stale_facets: {
    product_id: string
  }
  started_overview: {
    id: string
    listed_at: Date
    state: 'started'
  }
  stored_settings: {
    id: Generated<string>
    name: string
    key_id: string
    nonce: Buffer
    sealed: Buffer
    changed_at: Generated<Date>
  }
  tax_classes: {
    id: string
    name: string
    name_key: string
  }
  tax_rates: {
    id: string
    class_id: string | null
    country: string
    region: string | null
    name: string
    rate: number
    valid_from: string | null
    valid_to: string | null
  }
  user_notes: {
    id: string
    user_id: string
    author_id: string
    text: string
    created_at: Generated<Date>
  }
  users: {
    id: string
    name: string
    email: string
    email_key: string
    password_hash: string
    answer_hash: string
    phone: string
    address: string
    delivery: JSONColumnType<StoredAddress> | null
    is_admin: Generated<boolean>
    created_at: Generated<Date>
    email_confirmed_at: Date | null
    closed_at: Date | null
    search: GeneratedAlways<string>
  }
  variant_facets: {
    variant_id: string
    product_id: string
    in_stock: boolean
    keys: Array<string>
  }
  variants: {
    id: string
    product_id: string
    position: Generated<number>
    value1: string | null
    value2: string | null
    value3: string | null
    slot1: GeneratedAlways<number>
    slot2: GeneratedAlways<number>
    slot3: GeneratedAlways<number>
    sku: string | null
    barcode: string | null
    price_minor: number
    compare_at_minor: number | null
    quantity: number
    weight_grams: number | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
    photo_id: string | null
    sale_price_minor: number | null
    sale_from: Date | null
    sale_until: Date | null
  }
  wanted_facets: {
    variant_id: string
    product_id: string
    in_stock: boolean
    keys: Array<string>
  }
  webhook_events: {
    id: string
    received_at: Generated<Date>
  }
  yielding_reservations: {
    id: string
    user_id: string
    quote: JSONColumnType<StoredQuote> | null
    reserved_until: Date
  }
}
