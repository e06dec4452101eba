import { sql } from 'kysely'
import { LEGAL_PAGES } from '#app/shared/contract/public-settings.ts'
import { hasRow } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import type { Settings } from '../admin-contract.ts'
import type { DisplayedSettings } from '../contract.ts'

/** One of the shop's settings; undefined before the first start. */
export async function selectSetting<Name extends keyof Settings>(
  db: Database,
  name: Name,
): Promise<Settings[Name] | undefined> {
  const { rows } = await sql<{ setting: Settings[Name] }>`
    select value -> ${name}::text as setting from settings where name = 'shop'`.execute(db)
  return rows[0]?.setting
}

/** The shop's settings without the hidden ones, its logo with its size. Undefined before the first start. */
export async function selectDisplayed(db: Database, hidden: string[]) {
  const { rows } = await sql<{ value: Partial<Omit<DisplayedSettings, 'style'>> }>`
    select value - ${hidden}::text[] || jsonb_build_object(
      'logo', (
        select jsonb_build_object('id', id, 'width', full_width, 'height', full_height)
        from pictures where id = value ->> 'logo' limit 1),
      'legalPages', array(
        select page from unnest(${[...LEGAL_PAGES]}::text[]) as page where value ->> page ~ '\\S')
    ) as value
    from settings where name = 'shop'`.execute(db)
  return rows[0]?.value
}

/** The lowest prices of the bands of the filter, and their currency. Undefined before the first start. */
export async function selectPriceBands(
  db: Database,
): Promise<{ lows: number[]; currency: string } | undefined> {
  const { rows } = await sql<{ lows: number[]; currency: string }>`
    select value -> 'priceBands' as lows, currency from settings where name = 'shop'`.execute(db)
  return rows[0]
}

/** Whether the shop has amounts in its currency: prices, discounts of an amount, or shipping rates. */
export async function selectHasAmounts(db: Database): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from products) or exists (select from shipping_rates)
      or exists (select from coupons where deleted_at is null
        and (amount_minor is not null or minimum_minor > 0)) as has`.execute(db)
  return rows[0]?.has === true
}

/** Whether the database knows a time zone. */
export const isTimeZone = (db: Database, name: string): Promise<boolean> =>
  hasRow(
    db.selectFrom(sql<{ name: string }>`pg_timezone_names`.as('zone')).where('name', '=', name),
  )
