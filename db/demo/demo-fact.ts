import type { Database } from '../schema.ts'

/** What the database remembers of the demo. */
export const DEMO_FACT = { key: 'demo', value: 'loaded' }

/** Whether this database holds the demo. */
export async function isDemoLoaded(db: Database): Promise<boolean> {
  const fact = await db
    .selectFrom('shop_facts')
    .select('value')
    .where('key', '=', DEMO_FACT.key)
    .executeTakeFirst()
  return fact?.value === DEMO_FACT.value
}
