import type { Database } from '#db/schema.ts'

/** The audit entries that were written during the work, oldest first. */
export async function entriesOf(db: Database, work: () => Promise<unknown>) {
  const before = await db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.max('id').as('last'))
    .executeTakeFirst()
  await work()
  return db
    .selectFrom('audit_log')
    .where('id', '>', before?.last ?? 0)
    .orderBy('id')
    .selectAll()
    .execute()
}
