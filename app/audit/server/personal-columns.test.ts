/** The columns that the triggers of the audit log store. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { auditedRows } from '#app/modules.ts'
import type { Database } from '#db/schema.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

/** The merchant's columns that are named as personal data. Pages show them. */
const OF_MERCHANT: Record<string, string[]> = {
  settings: ['address', 'email', 'phone'],
  tax_settings: ['seller_address'],
}

/** The columns of a table with personal data that its domain declares as those of its entries. */
const declaredOf = (table: string) => auditedRows[table]?.stored ?? OF_MERCHANT[table]

/** Names of columns with personal data or secrets, wherever they are. */
const SENSITIVE = /hash|token|secret|password|answer|email|phone|address|buyer|delivery|network/

type Trigger = { table: string; isPersonal: boolean; stored: string[] }

/** The columns that an audit trigger may store; a table is personal if it is, or refers to, users. */
const selectTriggers = async (db: Database) =>
  (
    await sql<Trigger>`
      select tgrelid::regclass::text as table,
        tgrelid = 'users'::regclass or exists (select from pg_constraint
          where conrelid = tgrelid and confrelid = 'users'::regclass) as "isPersonal",
        array(select attname::text collate "C" from pg_attribute
          where attrelid = tgrelid and attnum > 0 and not attisdropped and attgenerated = ''
            and attname not in ('id', 'name_key', 'email_key', 'created_at', 'updated_at')
            and attname <> all (string_to_array(encode(tgargs, 'escape'), '\\000'))
          order by 1) as stored
      from pg_trigger where tgfoid = 'write_audit_log'::regproc and tgname <> 'audit_surplus'
      order by tgname`.execute(db)
  ).rows

const findUndeclared = async (db: Database) =>
  (await selectTriggers(db)).flatMap(({ table, isPersonal, stored }) =>
    stored
      .filter((column) => isPersonal || SENSITIVE.test(column))
      .filter((column) => !declaredOf(table)?.includes(column))
      .map((column) => `${table}.${column}`),
  )

/** Runs a test with columns that only it sees. */
async function withColumns(columns: string[], test: (tx: Database) => Promise<void>) {
  const tx = await shop.db.startTransaction().execute()
  for (const column of columns) await sql`alter table ${sql.raw(column)}`.execute(tx)
  await test(tx).finally(() => tx.rollback().execute())
}

it('have no personal data and no secret that its domain does not declare', async () => {
  expect(await findUndeclared(shop.db)).toEqual([])
  const triggers = await selectTriggers(shop.db)
  for (const { table, stored } of triggers.filter(({ isPersonal }) => isPersonal))
    expect(stored, table).toEqual(declaredOf(table))
})

it('are found when they are new and of a customer, or named as a secret', () =>
  withColumns(
    ['users add column shoe_size integer', 'coupons add column secret_note text'],
    async (tx) => {
      const found = new Set(await findUndeclared(tx))
      expect(found).toEqual(new Set(['coupons.secret_note', 'users.shoe_size']))
    },
  ))

it('are the new ones of the catalogue, too', () =>
  withColumns(['categories add column colour text'], async (tx) => {
    await sql`insert into categories (id, name, name_key, slug, colour)
      values (gen_random_uuid(), 'Red things', 'red things', 'red-things', 'red')`.execute(tx)
    const entries = tx.selectFrom('audit_log').orderBy('id', 'desc').select('after')
    const { after } = await entries.limit(1).executeTakeFirstOrThrow()
    expect(after).toEqual({ name: 'Red things', slug: 'red-things', colour: 'red' })
  }))
