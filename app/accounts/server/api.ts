import type { FastifyInstance, FastifyRequest } from 'fastify'
import { href } from '#app/shared/model/href.ts'
import { tokenOf } from '#app/shared/server/access.ts'
import { conflict } from '#app/shared/server/failure.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { limiterOf } from '#app/shared/server/limits/limits.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import type { PersonalData } from '#app/shared/server/personal-data-store.ts'
import { sendFile } from '#app/shared/server/send-file.ts'
import type { Database } from '#db/schema.ts'
import type { userAdminCalls } from '../admin-contract.ts'
import { accountCalls, type accountEmailCalls, NEW_SECRET_LIMITS } from '../contract.ts'
import type { profileCalls } from '../profile-contract.ts'
import { isAdmin, type sessionCalls } from '../session-contract.ts'
import { closeOwnAccount, closeUserAccount } from './close-account.ts'
import { confirmEmail, emailStatus, sendConfirmation } from './confirmation.ts'
import { exportPersonalData } from './personal-data.ts'
import { presentListedUser, presentUser } from './presenter.ts'
import { changeProfile, setsSecret, userOf } from './profile.ts'
import { requestResetLink, resetByLink } from './reset-link.ts'
import { changeRole, noSuchUser, signOutEverywhere } from './roles.ts'
import { openAccount, resetPassword, signIn, signOut } from './service.ts'
import { selectFacts } from './store.ts'
import { addNote, findUser, removeNote } from './users/service.ts'
import { selectUserIds, selectUsers } from './users-store.ts'

type Dependencies = { db: Database; counters: CounterStore; personalData: PersonalData }

/** Counts a change of password or answer in the profile. Throws `rate_limited` above the limit. */
async function countNewSecret(counters: CounterStore, request: FastifyRequest, userId: string) {
  const limiter = limiterOf(counters, { ...accountCalls.updateProfile, limits: NEW_SECRET_LIMITS })
  await limiter.byAddress(request)
  await limiter.byAccount(request, userId)
}

export const accountHandlers = ({
  db,
  counters,
  personalData,
}: Dependencies): Handlers<typeof accountCalls> => ({
  async register({ body, request: { ip: address } }) {
    const user = await openAccount(db, body, { address })
    return { success: true, message: 'Registered successfully', user: presentUser(user) }
  },
  async login({ body, request }) {
    const { ip: address, headers } = request
    const client = { counters, address, userAgent: headers['user-agent'] }
    const { user, token } = await signIn(db, client, { ...body, replaced: tokenOf(request) })
    return { success: true, message: 'Logged in successfully', user: presentUser(user), token }
  },
  async forgotPassword({ body, request: { ip: address } }) {
    await resetPassword(db, { counters, address }, body)
    return { success: true, message: 'Password reset successfully' }
  },
  async updateProfile({ body, caller, request }) {
    if (setsSecret(body)) await countNewSecret(counters, request, caller.userId)
    const client = { counters, address: request.ip }
    const user = await changeProfile(db, client, caller, body)
    return {
      success: true,
      message: 'Profile Updated Successfully',
      updatedUser: presentUser(user),
    }
  },
  getMyData: ({ caller: { userId }, recheckCaller, reply }) =>
    sendFile(
      reply,
      { name: 'my-data', type: 'json' },
      exportPersonalData(db, personalData, userId),
      recheckCaller,
    ),
  async closeAccount({ body: { password }, caller, request }) {
    await closeOwnAccount(db, personalData, { counters, address: request.ip }, caller, password)
    return { success: true, message: 'Your account is closed.' }
  },
})

export const profileHandlers = ({
  db,
}: Pick<Dependencies, 'db'>): Handlers<typeof profileCalls> => ({
  getProfile: async ({ caller }) => ({ user: presentUser(await userOf(db, caller)) }),
})

export const sessionHandlers = ({
  db,
}: Pick<Dependencies, 'db'>): Handlers<typeof sessionCalls> => ({
  async logout({ caller }) {
    await signOut(db, caller)
    return { success: true }
  },
  checkUser: () => ({ ok: true }),
})

const CONFIRMED = 'Your e-mail address is confirmed.'
/** For a client without a session of the account. */
const CONFIRMED_ELSEWHERE = `${CONFIRMED} For your safety, the security answer that was set before no longer works, and every device is signed out: please log in, and set a new answer in your profile.`

/** The settings may change at any time; without an SMTP server, e-mails do not reach their recipients. */
export const accountEmailHandlers = ({
  db,
  settings,
}: {
  db: Database
  settings: { SMTP_URL?: string }
}): Handlers<typeof accountEmailCalls> => ({
  async requestResetLink({ body: { email } }) {
    if (!settings.SMTP_URL)
      throw conflict('This shop sends no e-mails. Please use your security answer instead.')
    await requestResetLink(db, email)
    return {
      success: true,
      message:
        'If there is an account with this e-mail, a link is on its way to it. It works for an hour.',
    }
  },
  async resetByLink({ body, request: { ip: address } }) {
    await resetByLink(db, { ...body, address })
    return { success: true, message: 'Password reset successfully' }
  },
  async confirmEmail({ body: { token }, caller, request: { ip: address } }) {
    const isReplaced = await confirmEmail(db, token, { callerId: caller?.userId, address })
    return { success: true, message: isReplaced ? CONFIRMED_ELSEWHERE : CONFIRMED }
  },
  getEmailStatus: ({ caller: { userId } }) => emailStatus(db, userId),
  async requestConfirmation({ caller: { userId } }) {
    await sendConfirmation(db, userId)
    return { success: true, message: 'A link is on its way to your e-mail address.' }
  },
})

export const userAdminHandlers = ({
  db,
  personalData,
}: Omit<Dependencies, 'counters'>): Handlers<typeof userAdminCalls> => ({
  checkAdmin: () => ({ ok: true }),
  async getAllUsers({ query: { page, ...filter }, request, reply }) {
    const { ids, total } = await selectUserIds(db, filter, sliceOf(page))
    const users = await selectUsers(db, ids)
    setPagingHeaders(request, reply, { page, total })
    return users.map(presentListedUser)
  },
  getUser: ({ params: { userId } }) => findUser(db, userId.toLowerCase()),
  async exportUserData({ params: { userId }, recheckCaller, reply }) {
    if (!(await selectFacts(db, userId))) throw noSuchUser()
    const text = exportPersonalData(db, personalData, userId)
    return sendFile(reply, { name: 'customer-data', type: 'json' }, text, recheckCaller)
  },
  async addUserNote({ params: { userId }, body: { text }, caller }) {
    await addNote(db, caller, { userId, text })
    return { success: true, message: 'The note is added' }
  },
  async deleteUserNote({ params: { id }, caller }) {
    await removeNote(db, caller, id)
    return { success: true, message: 'The note is deleted' }
  },
  async setUserRole({ params: { userId }, body, caller }) {
    const admin = isAdmin(body)
    const user = await changeRole(db, caller, { userId, admin })
    const message = `${user.name} is ${admin ? 'an admin now' : 'no longer an admin'}`
    return { success: true, message, user: presentUser(user) }
  },
  async endUserSessions({ params: { userId }, caller }) {
    const { name } = await signOutEverywhere(db, caller, userId)
    return { success: true, message: `${name} is signed out everywhere` }
  },
  async closeUserAccount({ params: { userId }, caller }) {
    const name = await closeUserAccount(db, personalData, caller, userId)
    return { success: true, message: `The account of ${name} is closed` }
  },
})

/** Leads password managers to the form for a new password, as the W3C's "A Well-Known URL for Changing Passwords" asks. */
export function leadToPasswordChange(api: FastifyInstance) {
  api.get(
    '/.well-known/change-password',
    { schema: { hide: true }, config: { access: 'public', cost: 'page' } },
    (_request, reply) => reply.redirect(href('/dashboard/user/profile'), 303),
  )
}
