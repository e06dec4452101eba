/** A new password by a link in an e-mail, as an alternative to the security answer. */
import { v7 as uuidv7 } from 'uuid'
import { recordAccountAction } from '#app/audit/server/record.sql.ts'
import { customer, SHOP } from '#app/shared/server/actor/actor.ts'
import { invalid } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { emailKey } from '#app/shared/server/limits/client-keys.ts'
import { countEvents, recordEvent } from '#app/shared/server/outbox/events-store.ts'
import type { Database, Row } from '#db/schema.ts'
import { rulesOf } from './account-kinds.sql.ts'
import { deleteKnown } from './known-places-store.ts'
import {
  consumeToken,
  hasResetRequests,
  insertResetRequest,
  selectTokenUser,
  takeResetRequest,
  updateConfirmed,
} from './links-store.ts'
import { hashPassword, hashRandomAnswer } from './passwords.ts'
import { followNewPassword } from './service.ts'
import { hashOf } from './sessions.ts'
import { lockUserByEmail, updateUser } from './store.ts'

const HOUR = 60 * 60
/** The maximum of links for an account in an hour, from all requests together. */
const MAX_LINKS_PER_HOUR = 3

/**
 * Stores a request for a link. It does not look for the account: the answer, and the time that it takes,
 * are the same with and without one.
 */
export async function requestResetLink(db: Database, email: string): Promise<void> {
  await insertResetRequest(db, { id: uuidv7(), email_key: emailKey(email) })
}

/**
 * Records a request, of which an e-mail is sent. The e-mail of an admin says that only the owner resets an
 * admin's password.
 */
async function answerRequest(tx: Database, user: Row<'users'>): Promise<void> {
  const request = { kind: 'password_reset_requested', subjectId: user.id } as const
  if ((await countEvents(tx, { ...request, seconds: HOUR })) >= MAX_LINKS_PER_HOUR) return
  await recordEvent(tx, { ...request, facts: { is_admin: !rulesOf(user).resetsPassword } })
}

/**
 * Answers the stored requests, until there is none or the shop closes. Those of more than an hour ago,
 * such as the ones of a restored backup, are deleted.
 */
export async function answerResetRequests(db: Database, closing: AbortSignal): Promise<void> {
  const answerNext = () =>
    inTransaction(db, SHOP, async (tx) => {
      const request = await takeResetRequest(tx)
      const isOld = request && Date.now() - request.created_at.getTime() > HOUR * 1000
      const user = request && !isOld && (await lockUserByEmail(tx, request.email_key))
      if (user) await answerRequest(tx, user)
      return request !== undefined
    })
  if (!(await hasResetRequests(db))) return
  while (!closing.aborted) if (!(await answerNext())) return
}

const noLink = () =>
  invalid('This link was used already, or has expired. Please ask for a new one.')

/**
 * Sets a new password by the token of a link, and ends every session. The link proves that its user
 * reads the e-mails of the address, which is confirmed by it; it does not prove that the same person set
 * the security answer, which is therefore replaced by a random one, and known networks are forgotten:
 * somebody else may have registered with the address, and would reset the password again. Throws `invalid`
 * for a token that is not valid, and for an account that became an admin's. The audit log's actor is the
 * account's user.
 */
export async function resetByLink(
  db: Database,
  { token, newPassword, address }: { token: string; newPassword: string; address: string },
): Promise<void> {
  const hash = hashOf(token)
  const found = await selectTokenUser(db, hash, 'reset_password')
  if (!found || !rulesOf(found).resetsPassword) throw noLink()
  const userId = found.id
  const password_hash = await hashPassword(newPassword, address)
  const answer_hash = await hashRandomAnswer(address)
  await inTransaction(db, customer(userId), async (tx) => {
    // before the token: other changes of the account lock in this order, too
    const user = await updateUser(tx, userId, { password_hash, answer_hash })
    if (!(await consumeToken(tx, hash, 'reset_password'))) throw noLink()
    // the account may have been closed or promoted meanwhile
    if (!rulesOf(user).resetsPassword || user.closed_at) throw noLink()
    await followNewPassword(tx, user)
    await deleteKnown(tx, userId)
    await updateConfirmed(tx, userId)
    await recordAccountAction(tx, userId, 'password_reset_by_link')
  })
}
