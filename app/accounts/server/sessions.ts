import { createHash, randomBytes } from 'node:crypto'
import type { Caller } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import { insertSession, selectCaller } from './store.ts'

const DAY = 24 * 60 * 60 * 1000
const SESSION_LENGTH = 7 * DAY

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Starts a session of seven days and answers its token, which is kept nowhere. */
export async function openSession(db: Database, userId: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await insertSession(db, {
    token_hash: hashOf(token),
    user_id: userId,
    expires_at: new Date(Date.now() + SESSION_LENGTH),
  })
  return token
}

/** Who a token belongs to now; null when it is unknown, expired or revoked. */
export async function findCaller(db: Database, token: string): Promise<Caller | null> {
  const session = hashOf(token)
  const user = await selectCaller(db, session)
  return user ? { userId: user.id, admin: user.is_admin, session } : null
}
