/**
 * How customers pay without a provider, as the bank account to which they transfer money. It decides where money
 * goes, as a connection does: a change needs the password, and every admin is told.
 */
import { requirePasswordOf } from '#app/accounts/server/profile.ts'
import type { ClientContext } from '#app/accounts/server/service.ts'
import type { Caller } from '#app/shared/server/access.ts'
import { invalid } from '#app/shared/server/failure.ts'
import { recordEvent } from '#app/shared/server/outbox/events-store.ts'
import type { Database } from '#db/schema.ts'
import type { PaymentMethodSettings, PaymentMethods } from '../admin-contract.ts'

const detailsOf = ({ isOffered, name, instructions }: PaymentMethodSettings) =>
  JSON.stringify([isOffered, name.trim(), instructions.trim()])

/** Whether a change leads the money of customers elsewhere. */
export const changesPayments = (former: PaymentMethods, next: PaymentMethods): boolean =>
  detailsOf(former.pay_on_delivery) !== detailsOf(next.pay_on_delivery) ||
  detailsOf(former.bank_transfer) !== detailsOf(next.bank_transfer)

/**
 * Checks the password of the caller who changes how customers pay, and returns the caller's name. Throws
 * `invalid` and `rate_limited` about the field `password`.
 */
export async function requireForPayments(
  db: Database,
  client: ClientContext,
  caller: Caller,
  password: string | undefined,
): Promise<string> {
  if (!password)
    throw invalid('Enter your password: it is needed to change how customers pay.', 'password')
  return (await requirePasswordOf(db, client, caller, password)).name
}

/** Queues a warning to every admin. */
export const warnOfPayments = (tx: Database, by: string) => {
  const facts = { connection: 'payment_methods', by, at: new Date().toISOString() } as const
  return recordEvent(tx, { kind: 'settings_changed', facts })
}
