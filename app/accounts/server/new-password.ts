import { queueEmail } from '#app/emails/server/service.ts'
import type { Database, Row } from '#db/schema.ts'
import { deleteTokensOfUser } from './email/store.ts'
import { deleteSessionsOfUser } from './store.ts'

/**
 * Follows a new password, inside its transaction: ends the sessions, except the given one, and the links
 * that would set another password, and tells the user by e-mail.
 */
export async function followNewPassword(
  tx: Database,
  { id: userId, name, email: recipient }: Pick<Row<'users'>, 'id' | 'name' | 'email'>,
  except: Buffer | null = null,
): Promise<void> {
  await deleteSessionsOfUser(tx, userId, except)
  await deleteTokensOfUser(tx, userId, 'reset_password')
  await queueEmail(tx, { kind: 'password_changed', facts: { name }, userId, recipient })
}
