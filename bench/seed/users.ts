import { sql } from 'kysely'
import type { Database } from '#db/schema.ts'
import type { Batch } from './seed.ts'
import { FIRST_NAMES, idAt, LAST_NAMES, oneOf } from './words.ts'

const n = sql`n`

/** Customers, one a minute, the last one now. `hash` is that of a random password. */
export async function seedUsers(tx: Database, { from, to, last }: Batch, hash: string) {
  await sql`
    insert into users
      (id, name, email, email_key, password_hash, answer_hash, phone, address, created_at)
    select ${idAt(sql`created_at`, n, 'user')},
      concat_ws(' ', ${oneOf(FIRST_NAMES, n, 'first')}, ${oneOf(LAST_NAMES, n, 'last')}),
      email, email, ${hash}::text, ${hash}::text, '+1 555 0100',
      concat(n, ' Market Square, Springfield'), created_at
    from (
      select n, concat('shopper-', n, '@example.com') as email,
        date_trunc('second', now()) - (${last} - n) * interval '1 minute' as created_at
      from generate_series(${from}::integer, ${to}::integer) as n
    ) as drafts order by n`.execute(tx)
}
