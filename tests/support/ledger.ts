import type { Database } from '#db/schema.ts'

/** What was written down while the work was done: who, what kind of thing, and what became of it. */
export async function writtenBy(db: Database, work: () => Promise<unknown>) {
  const before = await db
    .selectFrom('ledger')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirst()
  await work()
  return db
    .selectFrom('ledger')
    .where('id', '>', before?.last ?? 0)
    .orderBy('id')
    .selectAll()
    .execute()
}
