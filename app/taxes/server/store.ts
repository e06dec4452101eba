import { type Insertable, sql } from 'kysely'
import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import { auditedColumn, changesRow } from '#app/shared/server/store.ts'
import type { Database, Row, Schema } from '#db/schema.ts'

/** The unique constraint on the name of a class. */
export const NAME_TAKEN = 'tax_classes_name_key_key'
/** The exclusion constraint of rates for the same class, place and day. */
export const OVERLAP = 'tax_rates_overlap'

/** A class as the API returns it. */
const CLASS = ['id as _id', 'name'] as const

export const selectClasses = (db: Database) =>
  db.selectFrom('tax_classes').select(CLASS).orderBy('name_key').orderBy('id').execute()

export const insertClass = (tx: Database, row: Row<'tax_classes'>) =>
  tx.insertInto('tax_classes').values(row).returning(CLASS).executeTakeFirstOrThrow()

/** Undefined when there is no such class. */
export const updateClass = (tx: Database, { id, ...named }: Row<'tax_classes'>) =>
  tx.updateTable('tax_classes').set(named).where('id', '=', id).returning(CLASS).executeTakeFirst()

/** False when there was no such class. */
export const deleteClass = (tx: Database, id: string): Promise<boolean> =>
  changesRow(tx.deleteFrom('tax_classes').where('id', '=', id))

/** The numbers of products and rates of the class, and whether shipping has it. */
export async function selectUses(db: Database, id: string) {
  const { rows } = await sql<{ products: number; rates: number; shipping: boolean }>`
    select
      (select count(*)::integer from products where tax_class_id = ${id}::uuid) as products,
      (select count(*)::integer from tax_rates where class_id = ${id}::uuid) as rates,
      exists (select from settings where shipping_class_id = ${id}::uuid) as shipping`.execute(db)
  return rows[0] ?? { products: 0, rates: 0, shipping: false }
}

const FIRST_DAY = sql<string | null>`valid_from::text`
const LAST_DAY = sql<string | null>`valid_to::text`

/** A rate as the API returns it, but for its region. */
const RATE = [
  'id as _id',
  'name',
  'class_id as taxClass',
  'country',
  'region',
  sql<number>`(rate / 1000.0)::float8`.as('rate'),
  FIRST_DAY.as('validFrom'),
  LAST_DAY.as('validTo'),
] as const

/** By country, region, class and first day. */
export const selectRates = (db: Database) =>
  db
    .selectFrom('tax_rates')
    .select(RATE)
    .orderBy('country')
    .orderBy('region', (order) => order.nullsFirst())
    .orderBy('class_id', (order) => order.nullsFirst())
    .orderBy('valid_from', (order) => order.nullsFirst())
    .execute()

export const insertRate = (tx: Database, row: Insertable<Schema['tax_rates']>) =>
  tx.insertInto('tax_rates').values(row).returning(RATE).executeTakeFirstOrThrow()

/** Undefined when there is no such rate. */
export const updateRate = (tx: Database, { id, ...row }: Insertable<Schema['tax_rates']>) =>
  tx.updateTable('tax_rates').set(row).where('id', '=', id).returning(RATE).executeTakeFirst()

/** False when there was no such rate. */
export const deleteRate = (tx: Database, id: string): Promise<boolean> =>
  changesRow(tx.deleteFrom('tax_rates').where('id', '=', id))

/** Another rate of the same class and place that applies on one of the days. */
export const selectOverlapping = (db: Database, rate: Omit<Row<'tax_rates'>, 'name' | 'rate'>) =>
  db
    .selectFrom('tax_rates')
    .where('id', '!=', rate.id)
    .where('country', '=', rate.country)
    .where(sql<boolean>`region is not distinct from ${rate.region}::text`)
    .where(sql<boolean>`class_id is not distinct from ${rate.class_id}::uuid`)
    .where(
      sql<boolean>`daterange(valid_from, valid_to, '[]')
        && daterange(${rate.valid_from}::date, ${rate.valid_to}::date, '[]')`,
    )
    .select(['name', 'rate', FIRST_DAY.as('valid_from'), LAST_DAY.as('valid_to')])
    .limit(1)
    .executeTakeFirst()

/** The names of tax classes and rates in the history. */
export const AUDITED_TAXES: AuditedRows = {
  tax_classes: { name: auditedColumn('tax_classes') },
  tax_rates: { name: auditedColumn('tax_rates') },
}
