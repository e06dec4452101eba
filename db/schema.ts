import type {
  ColumnType,
  Generated,
  GeneratedAlways,
  JSONColumnType,
  Kysely,
  Selectable,
  Transaction,
} from 'kysely'
import type { AccountTables } from './account-tables.ts'
import type { AuditedTable, OrderStatus } from './column-types.ts'
import type { PaymentTables } from './payment-tables.ts'
import type { SettingsTables } from './settings-tables.ts'
import type { Adjustment, Line, StoredAddress } from './stored-json.ts'

export type { StoredAddress, StoredQuote } from './stored-json.ts'

/**
 * The tables and views of `migrations/`, in the order of `0001_shop.sql`, but those of settings and of accounts
 * and their e-mails first; the meaning of columns is explained there. Money is in minor units, ids are
 * UUIDs.
 */
export type Schema = SettingsTables &
  AccountTables &
  PaymentTables & {
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
      /** Days; as text, they are selected by `::text`. */
      valid_from: string | null
      valid_to: string | null
    }
    tax_settings: {
      id: Generated<string>
      prices_include_tax: boolean
      taxes_shipping: boolean
      shipping_class_id: string | null
      default_country: string | null
      default_region: string | null
      seller_name: string
      seller_address: string
      seller_tax_number: string
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
      weight_grams: number | null
      tax_class_id: string | null
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
      product_id: string | null
    }
    product_photos: {
      product_id: string
      width: number
      format: PhotoFormat
      bytes: Buffer
    }
    shipping_zones: {
      id: string
      name: string
      is_default: Generated<boolean>
      updated_at: Generated<Date>
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
      kind: 'flat' | 'weight' | 'amount' | 'pickup'
      price_minor: number | null
      tiers: JSONColumnType<{ up_to: number | null; price_minor: number }[]> | null
      free_from_minor: number | null
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
    former_coupon_users: {
      user_id: string
      address_hash: Buffer
    }
    coupon_uses: {
      coupon_id: string
      payment_id: string
      user_id: string
      ordinal: number
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
      status: ColumnType<OrderStatus, OrderStatus | undefined, OrderStatus>
      total_minor: number
      currency: string
      test: Generated<boolean>
      created_at: Generated<Date>
      stock_returned_at: Date | null
      mailed_statuses: Generated<OrderStatus[]>
      search: GeneratedAlways<string>
    }
    order_lines: Defaulted<Line, 'discount_minor' | 'tax_minor' | 'tax_rate'> & {
      order_id: string
      position: number
    }
    order_adjustments: Defaulted<
      Adjustment,
      'is_included' | 'tax_minor' | 'tax_rate' | 'basis_minor'
    > & {
      order_id: string
      position: number
    }
    invoices: {
      number: number
      order_id: string
      issued_at: Generated<Date>
      /** A day; as text, it is selected by `::text`. */
      issued_on: string
      seller_name: string
      seller_address: string
      seller_tax_number: string
    }
    invoices_due: {
      order_id: string
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
        | 'password_reset_by_link'
        | 'sessions_ended'
      table_name: AuditedTable
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

/** Columns, of which some have a default. */
type Defaulted<Columns, Name extends keyof Columns> = Omit<Columns, Name> & {
  [Column in Name]: Generated<Columns[Column]>
}

export const PHOTO_FORMATS = ['avif', 'webp', 'jpeg'] as const
export type PhotoFormat = (typeof PHOTO_FORMATS)[number]

/** The database or a transaction of it: the first argument of every store function. */
export type Database = Kysely<Schema> | Transaction<Schema>
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>
