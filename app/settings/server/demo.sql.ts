import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'

/** The row of `shop_facts` of a database of the demo, until the demo is ended. */
export const DEMO_FACT = { key: 'demo', value: 'loaded' }

/** Whether the database is one of the demo, as SQL. */
export const isDemoDatabase = sql<boolean>`exists (select from shop_facts
  where key = ${sql.lit(DEMO_FACT.key)} and value = ${sql.lit(DEMO_FACT.value)})`

/** Whether the database contains the demo. */
export async function selectIsDemo(db: Database): Promise<boolean> {
  const { rows } = await sql<{ loaded: boolean }>`select ${isDemoDatabase} as loaded`.execute(db)
  return rows[0]?.loaded === true
}

/** Whether an order of this condition counts: in a database of the demo tests do, too, and nowhere else. */
export const counts = (isTest: string) =>
  sql<boolean>`(not ${sql.ref(isTest)} or ${isDemoDatabase})`
