/** Sign-ins of admins from a new place: a network or a browser that was not used lately. */
import { recordAccountAction } from '#app/audit/server/record.sql.ts'
import { admin as adminOf } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { recordEvent } from '#app/shared/server/outbox/events-store.ts'
import type { Database, Row } from '#db/schema.ts'
import { addKnown, browserOf, selectIsKnown } from './known-places-store.ts'

const MAX_SHOWN = 200

type SignIn = {
  /** Whether the account was used from the network lately. */
  isKnownNetwork: boolean
  address: string
  userAgent: string
  /** Whether an e-mail is sent: not to an owner who has just made the account. */
  isNotified: boolean
}

/**
 * Writes the audit entry of a sign-in from a new network, and the event of one from a new network or in a new
 * browser.
 */
export async function noteAdminSignIn(
  db: Database,
  { id: userId, email_key: account }: Row<'users'>,
  { isKnownNetwork, address, userAgent, isNotified }: SignIn,
): Promise<void> {
  const place = await browserOf(db, userId, userAgent)
  const isKnownBrowser = await selectIsKnown(db, account, place)
  const facts = { address, browser: userAgent.slice(0, MAX_SHOWN), at: new Date().toISOString() }
  if (!isKnownNetwork || !isKnownBrowser)
    await inTransaction(db, adminOf({ userId }), async (tx) => {
      if (!isKnownNetwork) await recordAccountAction(tx, userId, 'signed_in')
      await recordEvent(tx, {
        kind: 'admin_signed_in',
        subjectId: userId,
        notify: isNotified,
        facts,
      })
    })
  // afterwards: otherwise a failure between the two would leave a browser known without its e-mail.
  // A known browser is stored, too: it is forgotten thirty days after its last use
  await addKnown(db, account, place)
}
