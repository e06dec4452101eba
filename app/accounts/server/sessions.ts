import { createHash, randomBytes } from 'node:crypto'
import type { Caller } from '#app/shared/server/access.ts'
import { unauthorized } from '#app/shared/server/failure.ts'
import type { Database, Row } from '#db/schema.ts'
import { kindOf } from './account-kinds.sql.ts'
import { insertToken, type LinkPurpose } from './links-store.ts'
import { deleteExpired, extendSession, insertSession, selectCaller } from './store.ts'

/** The stored key of a session, or of a link in an e-mail: a hash. The token itself is not stored. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest()

/**
 * Creates a session and returns its token. It ends after seven days without a call, and after
 * thirty days at the latest. Deletes some expired sessions. Throws `unauthorized` when the user's
 * password has changed since it was checked.
 */
export async function openSession(
  db: Database,
  user: Pick<Row<'users'>, 'id' | 'password_hash'>,
): Promise<string> {
  await deleteExpired(db, 'sessions')
  const token = randomBytes(32).toString('base64url')
  const opened = await insertSession(db, hashOf(token), user)
  if (!opened) throw unauthorized('The password has changed. Please log in again.')
  return token
}

/**
 * Returns the user of a token; null when the token is unknown, expired or revoked. The last use of
 * a session is stored at most once an hour.
 */
export async function findCaller(db: Database, token: string): Promise<Caller | null> {
  const session = hashOf(token)
  const user = await selectCaller(db, session)
  if (user?.is_due) await extendSession(db, session)
  return user ? { userId: user.id, kind: kindOf(user), session } : null
}

const HOUR = 60 * 60
/** How long a link works, from when its e-mail is sent. */
const SECONDS: Record<LinkPurpose, number> = {
  confirm_email: 7 * 24 * HOUR,
  reset_password: HOUR,
}

/** Creates the token of a link for a user. Earlier links of the user still work until they expire. */
export async function linkToken(
  db: Database,
  userId: string,
  purpose: LinkPurpose,
): Promise<string> {
  await deleteExpired(db, 'account_tokens')
  const token = randomBytes(32).toString('base64url')
  await insertToken(db, { hash: hashOf(token), userId, purpose, seconds: SECONDS[purpose] })
  return token
}
