import { sql } from 'kysely'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { LOCKS, tryLock } from '#db/locks.ts'
import type { Database } from '#db/schema.ts'

/**
 * Counts what came and went into the vocabulary. One process does it at a time; nobody waits for
 * it, and whoever reads sees a word either here or there.
 */
export async function countWords(db: Database): Promise<void> {
  const { rows: waiting } = await sql`select from vocabulary_changes limit 1`.execute(db)
  if (waiting.length === 0) return
  const isCounted = await inTransaction(db, SHOP, async (tx) => {
    if (!(await tryLock(tx, LOCKS.wordCount))) return false
    // a command's connection has it on, and would compile the functions anew for each word
    await sql`set local jit = off`.execute(tx)
    const { rows } = await sql<{ word: string }>`
      with gone as (delete from vocabulary_changes returning word, in_names, in_all),
      sums as materialized (
        select word, sum(in_names)::integer as in_names, sum(in_all)::integer as in_all
        from gone group by word
      ),
      known as (
        update vocabulary set
          in_names = vocabulary.in_names + sums.in_names, in_all = vocabulary.in_all + sums.in_all
        from sums where vocabulary.word = sums.word
        returning vocabulary.word, vocabulary.in_all
      ),
      added as (
        insert into vocabulary (word, in_names, in_all)
        select word, in_names, in_all from sums
        where in_all > 0 and word not in (select word from known)
      )
      select word from known where in_all = 0`.execute(tx)
    const forgotten = rows.map(({ word }) => word)
    if (forgotten.length > 0)
      await sql`delete from vocabulary where word = any (${forgotten}::text[]) and in_all = 0`.execute(
        tx,
      )
    return true
  })
  if (!isCounted) return
  // the embedded database does not do it by itself
  await sql`vacuum vocabulary_changes`.execute(db)
}
