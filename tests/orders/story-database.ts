/** The databases of the stories: emptied for each, with the invariants as one prepared statement. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { inject } from 'vitest'
import { openDatabase } from '#db/connect.ts'
import { openEmbedded } from '#db/embedded.ts'
import { migrate } from '#db/migrate.ts'
import type { Schema } from '#db/schema.ts'
import { addPerson, type Person } from '../support/accounts.ts'
import { addCategory } from '../support/catalogue.ts'
import { INVARIANTS, STOCK } from '../support/consistency.ts'
import { readImage } from '../support/database-image.ts'
import { paymentMethods } from '../support/payment-methods.ts'

export const PRODUCT = '01890000-0000-7000-8000-000000000001'
/** Its variant. */
const VARIANT = '01890000-0000-7000-8000-000000000002'
export const PRICE = 12.5

/** A coupon for one use, and its discount in minor units. */
export const COUPON = 'ONCE'
export const DISCOUNT = 250

/** Tables that a story fills; deleted rows leave space behind, so the tables are vacuumed now and then. */
const TABLES = [
  'emails',
  'events',
  'coupon_uses',
  'former_coupon_users',
  'coupons',
  'credit_notes',
  'credit_notes_due',
  'invoices',
  'invoices_due',
  'refund_lines',
  'returned_lines',
  'order_lines',
  'order_adjustments',
  'orders',
  'refunds',
  'disputes',
  'captures',
  'payments',
  'webhook_events',
  'change_feed',
  'audit_log',
  'product_slugs',
  'variants',
  'products',
]
const VACUUM_EVERY = 10

/** A broken invariant: its name, and the id of the row. */
type Violation = { name: string; id: string }

const named = (name: string, query: RawBuilder<unknown>) =>
  sql`select ${sql.lit(name)} as name, id::text from (${query}) as violations`

export const EARLY = 'a reservation that ended early'

/** Invariants that only a test can know: how many pieces there were, and that time has not run out. */
const OF_STORIES: Record<string, RawBuilder<unknown>> = {
  'free, reserved and sold pieces': sql`
    select id from (${STOCK}) as stock
    where free + reserved + sold <> current_setting('story.quantity')::integer`,
  [EARLY]: sql`
    select user_id as id from payments where state = 'expired' and reserved_until > now()`,
}

export type StoryDatabase = Awaited<ReturnType<typeof openShopDatabase>>
export type EmbeddedStories = Awaited<ReturnType<typeof openStoryDatabase>>

/** Adds the people and the check of all invariants, as one statement that the session prepares. */
async function openShopDatabase(
  db: Kysely<Schema>,
  exec: (statements: string) => Promise<unknown>,
) {
  // a coupon with a limit for each customer takes confirmed addresses only
  const addBuyer = () => addPerson(db, { isConfirmed: true })
  const buyers: Person[] = [await addBuyer(), await addBuyer()]
  const admin = await addPerson(db, { admin: true })
  const category = await addCategory(db, 'Cups')
  const queries = [
    ...INVARIANTS.map(({ name, query }) => named(name, query)),
    ...Object.entries(OF_STORIES).map(([name, query]) => named(name, query)),
  ]
  const value = JSON.stringify({ paymentMethods: paymentMethods({ bank_transfer: {} }) })
  await sql`insert into settings (name, value) values ('shop', ${value}::jsonb)`.execute(db)
  // stories are told in the past, and this version is as old as they are
  await sql`update kysely_migration set timestamp = 'epoch'`.execute(db)
  await sql`prepare violations as ${sql.join(queries, sql` union all `)}`.execute(db)
  await exec('set plan_cache_mode = force_generic_plan')
  let stories = 0

  /** Empties the shop, and adds a product with this quantity. */
  async function reset(quantity: number) {
    stories += 1
    if (stories % VACUUM_EVERY === 0) await exec(`vacuum ${TABLES.join(', ')}`)
    await exec(`
      set session_replication_role = replica;
      ${TABLES.map((table) => `delete from ${table};`).join('\n')}
      update users
        set closed_at = null, email = id || '@example.com', email_key = id || '@example.com',
          email_confirmed_at = now()
        where closed_at is not null;
      reset session_replication_role;
      set story.quantity = ${quantity};
      begin;
      insert into products (id, name, slug, description, category_id, listed_variant_id)
        values ('${PRODUCT}', 'Clay cup', 'clay-cup', 'Holds tea.', '${category.id}', '${VARIANT}');
      insert into variants (id, product_id, price_minor, quantity)
        values ('${VARIANT}', '${PRODUCT}', ${PRICE * 100}, ${quantity});
      select refresh_listing(array['${PRODUCT}'::uuid]);
      commit;
      insert into product_slugs values ('clay-cup', '${PRODUCT}');
      insert into coupons (id, code, amount_minor, max_uses)
        values ('${PRODUCT}', '${COUPON}', ${DISCOUNT}, 1)`)
  }

  const violations = async () => (await sql<Violation>`execute violations`.execute(db)).rows

  return { db, exec, buyers, admin, reset, violations }
}

/** An embedded database of its own. */
export async function openStoryDatabase() {
  const { db, pglite, close } = await openEmbedded(
    undefined,
    await readImage(inject('databaseImage')),
  )
  const shop = await openShopDatabase(db, (statements) => pglite.exec(statements))
  return { ...shop, pglite, close }
}

/** A database on the server at `url`, used on one connection. */
export async function openServerDatabase(url: string) {
  const { db, close } = await openDatabase({ databaseUrl: url, dataDir: '', poolSize: 1 })
  await migrate(db)
  const shop = await openShopDatabase(db, (statements) => sql.raw(statements).execute(db))
  return { ...shop, close }
}
