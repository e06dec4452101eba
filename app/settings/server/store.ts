import { sql } from 'kysely'
import { hasRow } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import type { Settings } from '../admin-contract.ts'

/** One of the shop's settings; undefined before the first start. */
export async function selectSetting<Name extends keyof Settings>(
  db: Database,
  name: Name,
): Promise<Settings[Name] | undefined> {
  const { rows } = await sql<{ setting: Settings[Name] }>`
    select value -> ${name}::text as setting from settings where name = 'shop'`.execute(db)
  return rows[0]?.setting
}

/** The shop's settings without the hidden ones, and the size of the logo. Undefined before the first start. */
export const selectDisplayed = (db: Database, hidden: string[]) =>
  db
    .selectFrom('settings')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('pictures')
          .where('pictures.id', '=', sql<string>`value ->> 'logo'`)
          .select(['full_width', 'full_height'])
          .limit(1)
          .as('logo'),
      (join) => join.onTrue(),
    )
    .where('name', '=', 'shop')
    .select(sql<Partial<Settings>>`value - ${hidden}::text[]`.as('value'))
    .select(['full_width', 'full_height'])
    .executeTakeFirst()

/** Whether the database knows a time zone. */
export const isTimeZone = (db: Database, name: string): Promise<boolean> =>
  hasRow(
    db.selectFrom(sql<{ name: string }>`pg_timezone_names`.as('zone')).where('name', '=', name),
  )
