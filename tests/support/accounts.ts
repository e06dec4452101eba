import { v7 as uuidv7 } from 'uuid'
import { openSession } from '#app/accounts/server/sessions.ts'
import type { AccountKind } from '#app/shared/contract/access.ts'
import type { Database } from '#db/schema.ts'

export type Person = { id: string; email: string; name: string; token: string }

/** The password of every added user; its hash is precomputed, because hashing is slow. */
export const PASSWORD = 'correct-horse'
export const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$g6MnPl4ge5uH/hCvfTfw5g$exVs6eRNlK/GCJPf1Npmk3T62bGpKwUzP3wIc8NV9qc'

/** A new session of a user whose earlier ones have ended. */
export const signInAgain = async (db: Database, person: Person): Promise<Person> => {
  const user = await db
    .selectFrom('users')
    .where('id', '=', person.id)
    .selectAll()
    .executeTakeFirstOrThrow()
  return { ...person, token: await openSession(db, user) }
}

/** Inserts a signed-in user into the database, for tests that are not about logging in. */
export async function addPerson(
  db: Database,
  { admin = false, name = 'Asha Rao', isConfirmed = false } = {},
): Promise<Person> {
  const id = uuidv7()
  const email = `${id}@example.com`
  const facts = { id, name, email, email_key: email, phone: '555 0100', address: '1 Market Lane' }
  const email_confirmed_at = isConfirmed ? new Date() : null
  const user = await db
    .insertInto('users')
    .values({
      ...facts,
      email_confirmed_at,
      password_hash: PASSWORD_HASH,
      answer_hash: '-',
      is_admin: admin,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return { id, email, name, token: await openSession(db, user) }
}

/** One signed-in person of each kind of account. */
export type People = Record<AccountKind, Person>

/** Adds a person of each kind of account. */
export const addPeople = async (db: Database): Promise<People> => ({
  user: await addPerson(db),
  admin: await addPerson(db, { admin: true }),
})
