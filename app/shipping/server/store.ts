import { type Insertable, sql } from 'kysely'
import type { AuditedRows } from '#app/shared/server/domain-module.ts'
import { SHOP_CURRENCY } from '#app/shared/server/settings/currency-store.ts'
import { auditedColumn, changesRow, hasRow, LATER } from '#app/shared/server/store.ts'
import type { Database, Schema } from '#db/schema.ts'
import type { Place } from '../model.ts'
import type { Rate } from './rates.ts'

/** All zones by name, with their places by country and their rates in order. */
export const selectZones = (db: Database) =>
  db
    .selectFrom('shipping_zones')
    .selectAll()
    .select([
      sql<Place[]>`(
        select coalesce(jsonb_agg(jsonb_build_object('country', country, 'region', region)
          order by country, region), '[]')
        from shipping_places where zone_id = shipping_zones.id)`.as('places'),
      sql<Rate[]>`(
        select coalesce(jsonb_agg(to_jsonb(rate) order by position), '[]')
        from shipping_rates as rate where zone_id = shipping_zones.id)`.as('rates'),
      SHOP_CURRENCY.as('currency'),
    ])
    .orderBy(sql`folded(name)`)
    .orderBy('id')
    .execute()

export type ZoneRow = Awaited<ReturnType<typeof selectZones>>[number]

/** Locks the zones against other edits until the transaction ends; they can still be read. */
export const lockZones = (tx: Database) =>
  sql`lock table shipping_zones in share row exclusive mode`.execute(tx)

type NamedZone = Pick<ZoneRow, 'id' | 'name' | 'is_default'>

export const insertZone = (tx: Database, zone: NamedZone) =>
  tx.insertInto('shipping_zones').values(zone).execute()

/** `updated_at` always increases, however fast edits follow each other. */
export const updateZone = (tx: Database, { id, ...zone }: NamedZone) =>
  tx
    .updateTable('shipping_zones')
    .set({ ...zone, updated_at: LATER })
    .where('id', '=', id)
    .execute()

/** False when there was no such zone. */
export const deleteZone = (tx: Database, id: string): Promise<boolean> =>
  changesRow(tx.deleteFrom('shipping_zones').where('id', '=', id))

/** Makes these the places of the zone; the others are deleted. */
export async function replacePlaces(tx: Database, zoneId: string, places: Place[]): Promise<void> {
  const given = sql`jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as given (country text, region text)`
  await sql`
    delete from shipping_places
    where zone_id = ${zoneId} and not exists (
      select from ${given}
      where given.country = shipping_places.country
        and given.region is not distinct from shipping_places.region)`.execute(tx)
  await sql`
    insert into shipping_places (zone_id, country, region)
    select ${zoneId}::uuid, country, region from ${given}
    on conflict do nothing`.execute(tx)
}

/** Makes these the rates of the zone; the others are deleted. */
export async function replaceRates(
  tx: Database,
  zoneId: string,
  rates: Insertable<Schema['shipping_rates']>[],
): Promise<void> {
  const ids = rates.map(({ id }) => id)
  await tx
    .deleteFrom('shipping_rates')
    .where('zone_id', '=', zoneId)
    .where('id', '!=', sql<string>`all(${ids}::uuid[])`)
    .execute()
  for (const rate of rates) {
    await tx
      .insertInto('shipping_rates')
      .values(rate)
      .onConflict((known) => known.column('id').doUpdateSet(rate))
      .execute()
  }
}

/** Whether a rate by weight exists. */
export const hasWeightRate = (db: Database): Promise<boolean> =>
  hasRow(db.selectFrom('shipping_rates').where('kind', '=', 'weight'))

/** The names of shipping zones and rates in the history. */
export const AUDITED_SHIPPING: AuditedRows = {
  shipping_zones: { name: auditedColumn('shipping_zones') },
  // their entries have the id of the zone
  shipping_places: { name: auditedColumn('shipping_zones') },
  shipping_rates: { name: auditedColumn('shipping_rates') },
}
