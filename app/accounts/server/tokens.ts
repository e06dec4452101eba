import { randomBytes } from 'node:crypto'
import type { Database, Row } from '#db/schema.ts'
import { deleteExpiredTokens, insertToken } from './links-store.ts'
import { hashOf } from './sessions.ts'

/** What a link in an e-mail is for. */
export type LinkPurpose = Row<'account_tokens'>['purpose']

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
  await deleteExpiredTokens(db)
  const token = randomBytes(32).toString('base64url')
  await insertToken(db, { hash: hashOf(token), userId, purpose, seconds: SECONDS[purpose] })
  return token
}
