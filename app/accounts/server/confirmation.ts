/** Whether an account's e-mail address is confirmed. Nothing is refused to an unconfirmed one. */
import { customer, SHOP } from '#app/shared/server/actor/actor.ts'
import { conflict, invalid, logInFirst } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { recordEvent } from '#app/shared/server/outbox/events-store.ts'
import type { Database } from '#db/schema.ts'
import { deleteKnown } from './known-places-store.ts'
import { consumeToken, selectTokenUser, updateConfirmed } from './links-store.ts'
import { hashRandomAnswer } from './passwords.ts'
import { hashOf } from './sessions.ts'
import { deleteSessionsOfUser, selectUser, updateUser } from './store.ts'

const noLink = () =>
  invalid('This link was used already, or has expired. Your profile sends you a new one.')

/** The client that confirms an address: the user of its session, if it has one, and its address. */
type Confirming = { callerId: string | undefined; address: string }

/**
 * Confirms the address by the token of a link. The token proves that the client reads the e-mails of the
 * address; only a session of the account proves that it also knows the password. Without one, somebody
 * else may have registered with the address: the security answer, which would open the account after
 * each new password, is replaced by a random one, the sessions end and known networks are forgotten. The
 * password stays, so its owner only logs in again. Returns whether the answer was replaced. Throws
 * `invalid` for a token that is not valid.
 */
export async function confirmEmail(
  db: Database,
  token: string,
  { callerId, address }: Confirming,
): Promise<boolean> {
  const hash = hashOf(token)
  const found = await selectTokenUser(db, hash, 'confirm_email')
  if (!found) throw noLink()
  const { id: userId, email_confirmed_at: confirmedAt } = found
  const mayReplace = confirmedAt === null && callerId !== userId
  const answer_hash = mayReplace ? await hashRandomAnswer(address) : undefined
  return inTransaction(db, SHOP, async (tx) => {
    // before the token: other changes of the account lock in this order, too
    const isFirst = await updateConfirmed(tx, userId)
    const isReplaced = isFirst && mayReplace
    if (isReplaced) {
      await updateUser(tx, userId, { answer_hash })
      await deleteSessionsOfUser(tx, userId)
      await deleteKnown(tx, userId)
    }
    if (!(await consumeToken(tx, hash, 'confirm_email'))) throw noLink()
    return isReplaced
  })
}

export async function emailStatus(db: Database, userId: string) {
  const user = await selectUser(db, userId)
  if (!user) throw logInFirst()
  return { email: user.email, confirmed: user.email_confirmed_at !== null }
}

/** Queues another link. Throws `conflict` when the address is confirmed. */
export async function sendConfirmation(db: Database, userId: string): Promise<void> {
  await inTransaction(db, customer(userId), async (tx) => {
    const user = await selectUser(tx, userId)
    if (!user) throw logInFirst()
    if (user.email_confirmed_at) throw conflict('Your e-mail address is confirmed already.')
    await recordEvent(tx, { kind: 'email_confirmation_requested', subjectId: userId, facts: {} })
  })
}
