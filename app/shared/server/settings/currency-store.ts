import { type RawBuilder, sql } from 'kysely'
import { toMinor } from '#app/shared/model/minor-units.ts'

/** The currency of the shop's prices (ISO 4217), beside the amounts of a statement; read once a statement. */
export const SHOP_CURRENCY = sql<string>`coalesce((select currency from settings where name = 'shop'), 'USD')`

/** An amount in minor units of a currency as major units. */
export const majorUnits = (minor: RawBuilder<unknown>, currency: string) =>
  sql<number>`(${minor} / ${sql.lit(toMinor(1, currency))}.0)::float8`
