import { createHash, randomBytes } from 'node:crypto'
import { unauthorized } from '#app/shared/server/failure.ts'
import type { Caller } from '#app/shared/server/mount.ts'
import type { Database, Row } from '#db/schema.ts'
import { deleteExpiredSessions, insertSession, selectCaller } from './store.ts'

const DAY = 24 * 60 * 60 * 1000
const SESSION_LENGTH = 7 * DAY

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/**
 * Starts a session of seven days and answers its token, which is kept nowhere; the expired ones
 * are swept away on this occasion. Throws `unauthorized` when the user's password is no longer
 * the one in hand.
 */
export async function openSession(
  db: Database,
  user: Pick<Row<'users'>, 'id' | 'password_hash'>,
): Promise<string> {
  await deleteExpiredSessions(db)
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(Date.now() + SESSION_LENGTH)
  const opened = await insertSession(db, { token_hash: hashOf(token), expires_at }, user)
  if (!opened) throw unauthorized('The password was changed meanwhile. Please log in again.')
  return token
}

/** Who a token belongs to now; null when it is unknown, expired or revoked. */
export async function findCaller(db: Database, token: string): Promise<Caller | null> {
  const session = hashOf(token)
  const user = await selectCaller(db, session)
  return user ? { userId: user.id, admin: user.is_admin, session } : null
}
