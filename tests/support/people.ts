import { v7 as uuidv7 } from 'uuid'
import { openSession } from '#app/accounts/server/sessions.ts'
import type { Database } from '#db/schema.ts'

export type Person = { id: string; email: string; name: string; token: string }

/** A signed-in person, put straight into the database: for tests that are not about signing in. */
export async function addPerson(
  db: Database,
  { admin = false, name = 'Asha Rao' } = {},
): Promise<Person> {
  const id = uuidv7()
  const email = `${id}@example.com`
  const facts = { id, name, email, email_key: email, phone: '555 0100', address: '1 Market Lane' }
  const user = await db
    .insertInto('users')
    .values({ ...facts, password_hash: '-', answer_hash: '-', is_admin: admin })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { id, email, name, token: await openSession(db, user) }
}
