/** Whether an account's e-mail address is confirmed. Nothing is refused to an unconfirmed one. */
import { queueEmail } from '#app/emails/server/service.ts'
import { customer, SHOP } from '#app/shared/server/actor/actor.ts'
import { conflict, invalid, unauthorized } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { Database } from '#db/schema.ts'
import { selectUser } from '../store.ts'
import { consumeToken, selectTokenUser, updateConfirmed } from './store.ts'
import { hashOfToken } from './tokens.ts'

/** Confirms the address by the token of a link. Throws `invalid` for a token that is not valid. */
export async function confirmEmail(db: Database, token: string): Promise<void> {
  const hash = hashOfToken(token)
  await inTransaction(db, SHOP, async (tx) => {
    const user = await selectTokenUser(tx, hash, 'confirm_email')
    // before the token: other changes of the account lock in this order, too
    if (user) await updateConfirmed(tx, user.id)
    if (!user || !(await consumeToken(tx, hash, 'confirm_email')))
      throw invalid('This link was used already, or has expired. Your profile sends you a new one.')
  })
}

export async function emailStatus(db: Database, userId: string) {
  const user = await selectUser(db, userId)
  if (!user) throw unauthorized('Please log in.')
  return { email: user.email, confirmed: user.email_confirmed_at !== null }
}

/** Queues another link. Throws `conflict` when the address is confirmed. */
export async function sendConfirmation(db: Database, userId: string): Promise<void> {
  await inTransaction(db, customer(userId), async (tx) => {
    const user = await selectUser(tx, userId)
    if (!user) throw unauthorized('Please log in.')
    if (user.email_confirmed_at) throw conflict('Your e-mail address is confirmed already.')
    const { name, email: recipient } = user
    await queueEmail(tx, { kind: 'email_confirmation', facts: { name }, userId, recipient })
  })
}
