/** The profile: name, phone, address, password and security answer of a user. */
import type { Caller } from '#app/shared/server/access.ts'
import { invalid, logInFirst } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import type { DeliveryAddress } from '#app/shipping/contract.ts'
import { requireAddress } from '#app/shipping/server/service.ts'
import type { Database, Row } from '#db/schema.ts'
import { rulesOf } from './account-kinds.sql.ts'
import { withAttemptLimit } from './attempts.ts'
import { hashAnswer, hashPassword, isCurrentPassword } from './passwords.ts'
import { accountOf, attemptStorageOf, type ClientContext, followNewPassword } from './service.ts'
import { selectCaller, selectUser, updateUser } from './store.ts'

type Field = 'name' | 'phone' | 'address' | 'password' | 'answer' | 'currentPassword'
type ProfileChanges = Partial<Record<Field, string>> & {
  /** The delivery address that checkout suggests; null deletes it. */
  delivery?: DeliveryAddress | null
}

/** An empty field keeps the stored value. */
const filled = (text = '') => text.trim() || undefined

/** Whether the password or the answer changes. */
export const setsSecret = ({ password, answer }: ProfileChanges): boolean =>
  filled(password) !== undefined || filled(answer) !== undefined

/**
 * Checks the current password with the limits of a log-in. Throws `invalid` when it is wrong or
 * empty, and `rate_limited` after too many failures.
 */
export async function requireCurrentPassword(
  db: Database,
  { counters, address }: ClientContext,
  user: Row<'users'>,
  { given = '', field }: { given: string | undefined; field: string },
): Promise<void> {
  if (given === '') throw invalid('Please enter your current password.', field)
  const subject = { secret: 'password', account: user.email_key, address } as const
  const isRight = await withAttemptLimit(attemptStorageOf(db, counters), subject, async () =>
    (await isCurrentPassword(user.password_hash, given, address)) ? true : null,
  )
  if (!isRight) throw invalid('The current password is wrong.', field)
}

/** The account of a caller. Throws `unauthorized` when it is gone. */
export async function userOf(db: Database, { userId }: Caller): Promise<Row<'users'>> {
  const user = await selectUser(db, userId)
  if (!user) throw logInFirst()
  return user
}

/**
 * Checks the password of a caller who is logged in already, with the limits of a log-in: a stolen session is
 * not enough. Throws as `requireCurrentPassword`, about the field `password`.
 */
export async function requirePasswordOf(
  db: Database,
  client: ClientContext,
  caller: Caller,
  password: string,
): Promise<Row<'users'>> {
  const user = await userOf(db, caller)
  await requireCurrentPassword(db, client, user, { given: password, field: 'password' })
  return user
}

/**
 * Whether the current password is required: for a new answer, and for a new password of an admin.
 * The specified call has no such field, so other users may omit it; when it is sent, it is checked.
 */
const needsCurrentPassword = ({ answer, currentPassword }: ProfileChanges, user: Row<'users'>) =>
  filled(answer) !== undefined || rulesOf(user).provesPassword || currentPassword !== undefined

/**
 * Changes the caller's profile. An empty field keeps the stored value; a new password ends the
 * other sessions. Throws `invalid` and `rate_limited` for the current password, and `unauthorized`
 * when the caller's session has ended meanwhile: a stolen session must not survive the reset that
 * ends it. Throws `invalid` for a delivery to a country that there is not.
 */
export async function changeProfile(
  db: Database,
  client: ClientContext,
  caller: Caller,
  changes: ProfileChanges,
): Promise<Row<'users'>> {
  const { userId, session } = caller
  const user = await userOf(db, caller)
  const delivery = changes.delivery && requireAddress(changes.delivery)
  if (setsSecret(changes) && needsCurrentPassword(changes, user))
    await requireCurrentPassword(db, client, user, {
      given: changes.currentPassword,
      field: 'currentPassword',
    })
  const { password = '', answer = '' } = changes
  const password_hash = filled(password) && (await hashPassword(password, client.address))
  const answer_hash = filled(answer) && (await hashAnswer(answer, client.address))
  return inTransaction(db, accountOf(user), async (tx) => {
    const facts = {
      name: filled(changes.name),
      phone: filled(changes.phone),
      address: filled(changes.address),
      delivery,
    }
    const changed = await updateUser(tx, userId, { ...facts, password_hash, answer_hash })
    if (!(await selectCaller(tx, session))) throw logInFirst()
    if (password_hash) await followNewPassword(tx, changed, session)
    return changed
  })
}
