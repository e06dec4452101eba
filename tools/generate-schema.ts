/** Writes `db/schema.generated.ts`, the row types of the migrations: `npm run schema`. */
import { writeFileSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { openEmbedded } from '#db/embedded.ts'
import { migrate } from '#db/migrate.ts'
import type { Schema } from '#db/schema.ts'

/** The types of columns as the drivers return them. */
const TYPES: Record<string, string> = {
  bigint: 'number',
  boolean: 'boolean',
  bytea: 'Buffer',
  'character varying': 'string',
  // a day: as text, it is selected by `::text`
  date: 'string',
  'double precision': 'number',
  integer: 'number',
  smallint: 'number',
  text: 'string',
  'timestamp with time zone': 'Date',
  tsvector: 'string',
  uuid: 'string',
  xid8: 'string',
}

/** The types of JSON columns, and of the states of views; those with a name are in `db/schema.ts`. */
const OVERRIDES: Record<string, string> = {
  'audit_log.after': 'Record<string, unknown>',
  'audit_log.before': 'Record<string, unknown>',
  'events.facts': 'JSONColumnType<object>',
  'order_lines.options': 'JSONColumnType<StoredOption[]>',
  'orders.billing': 'JSONColumnType<StoredAddress & { text: string }>',
  'orders.delivery': 'JSONColumnType<StoredAddress>',
  'capture_overview.state': "ListedState | 'paid'",
  'owed_overview.state': "'owed' | 'overdue'",
  'payment_exceptions.state': "ListedState | 'started' | 'owed' | 'overdue'",
  'payments.billing': 'JSONColumnType<StoredAddress & { text: string }>',
  'payments.buyer': 'JSONColumnType<StoredContact>',
  'payments.delivery': 'JSONColumnType<StoredAddress & { text: string }>',
  'payments.quote': 'JSONColumnType<StoredQuote>',
  'provider_records.value': 'JSONColumnType<object>',
  'payments_needing_attention.state': 'PendingState',
  'settings.payment_methods': 'JSONColumnType<object>',
  'settings.value': 'JSONColumnType<object>',
  'payments.agreed_texts': 'JSONColumnType<StoredAgreement>',
  'shipping_rates.tiers': 'JSONColumnType<StoredTier[]>',
  'started_overview.state': "'started'",
  'users.delivery': 'JSONColumnType<StoredAddress>',
  'yielding_reservations.quote': 'JSONColumnType<StoredQuote>',
}

type Column = {
  table: string
  name: string
  type: string
  isArray: boolean
  isNullable: boolean
  isComputed: boolean
  hasDefault: boolean
  /** The values of an enum, or the check that lists those of a text column. */
  values: string[] | null
  check: string | null
}

/** Columns of views are taken for not null, but for these: PostgreSQL does not know it. */
const NULLABLE_IN_VIEWS = ['quote', 'list_price_until']

const selectColumns = async (db: Kysely<Schema>): Promise<Column[]> =>
  (
    await sql<Column>`
      select relname as table, attname as name,
        format_type(element.oid, null) as type, element.oid <> atttypid as "isArray",
        case relkind when 'v' then attname = any(${NULLABLE_IN_VIEWS}::text[]) else not attnotnull end as "isNullable",
        attgenerated <> '' or attidentity = 'a' as "isComputed",
        atthasdef or attidentity <> '' as "hasDefault",
        case
          when relname = 'audit_log' and attname = 'table_name' then array(
            select distinct tgrelid::regclass::text from pg_trigger
            where tgfoid = 'write_audit_log'::regproc
            -- by write_settings_log, and entries of before 0.4.0
            union values ('settings'), ('tax_settings'), ('payments'), ('unknown_payments'))
          when element.typtype = 'e' then array(
            select enumlabel::text from pg_enum where enumtypid = element.oid)
        end as values,
        (select pg_get_constraintdef(pg_constraint.oid) from pg_constraint
          where contype = 'c' and conrelid = attrelid and conkey = array[attnum]
            and pg_get_constraintdef(pg_constraint.oid) ~ '^CHECK [(]{2}[a-z_]+ (= ANY [(]|<@ )ARRAY') as check
      from pg_attribute
      join pg_class on pg_class.oid = attrelid
      join pg_type on pg_type.oid = atttypid
      join pg_type as element on element.oid = case pg_type.typcategory
        when 'A' then pg_type.typelem else pg_type.oid end
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and attnum > 0
        and not attisdropped and relname <> 'kysely_migration'
      order by relname collate "C", attnum`.execute(db)
  ).rows

/** A value in a check, as PostgreSQL writes it. */
const VALUE = /'([^']*)'::text/g

function typeOf({ table, name, type, isArray, values, check }: Column): string {
  const override = OVERRIDES[`${table}.${name}`]
  if (override) return override
  const allowed = values ?? Array.from(check?.matchAll(VALUE) ?? [], ([, value]) => value)
  const literals = allowed.map((value) => `'${value}'`).sort()
  const base = literals.join(' | ') || TYPES[type]
  if (!base) throw new Error(`tools/generate-schema.ts has no type for ${table}.${name}: ${type}.`)
  return isArray ? `Array<${base}>` : base
}

function declare(column: Column): string {
  const type = column.isNullable ? `${typeOf(column)} | null` : typeOf(column)
  if (column.isComputed) return `GeneratedAlways<${type}>`
  return column.hasDefault ? `Generated<${type}>` : type
}

const NAMED = /\b(?:Stored|Listed|Pending)\w+/g

/** The row types of a database on which all migrations have run. */
export async function generateSchema(db: Kysely<Schema>): Promise<string> {
  const tables = Map.groupBy(await selectColumns(db), ({ table }) => table)
  const types = [...tables].map(([table, columns]) => {
    const lines = columns.map((column) => `    ${column.name}: ${declare(column)}\n`)
    return `  ${table}: {\n${lines.join('')}  }\n`
  })
  const named = new Set(types.join('').match(NAMED))
  return `// npm run schema writes it from db/migrations.
import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { ${[...named].sort().join(', ')} } from './schema.ts'

/** The tables and views; the migrations explain their columns. Money is in minor units, ids are UUIDs. */
export type Schema = {
${types.join('')}}
`
}

if (import.meta.main) {
  const { db, close } = await openEmbedded(undefined)
  await migrate(db)
  writeFileSync(new URL('../db/schema.generated.ts', import.meta.url), await generateSchema(db))
  await close()
}
