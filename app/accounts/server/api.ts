import type { FastifyRequest } from 'fastify'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import { limiterOf } from '#app/shared/server/limits/limits.ts'
import { type Handlers, tokenOf } from '#app/shared/server/mount.ts'
import { sendFile } from '#app/shared/server/send-file.ts'
import type { Database } from '#db/schema.ts'
import { accountCalls, NEW_SECRET_LIMITS } from '../contract.ts'
import type { sessionCalls } from '../session-contract.ts'
import { presentUser } from './presenter.ts'
import { closeOwnAccount } from './privacy/close-account.ts'
import { personalData } from './privacy/personal-data.ts'
import { changeProfile, setsSecret } from './profile.ts'
import { openAccount, resetPassword, signIn, signOut } from './service.ts'

type Dependencies = { db: Database; counters: CounterStore }

/** Counts a change of password or answer in the profile. Throws `rate_limited` above the limit. */
async function countNewSecret(counters: CounterStore, request: FastifyRequest, userId: string) {
  const limiter = limiterOf(counters, { ...accountCalls.updateProfile, limits: NEW_SECRET_LIMITS })
  await limiter.byAddress(request)
  await limiter.byAccount(request, userId)
}

export const accountHandlers = ({ db, counters }: Dependencies): Handlers<typeof accountCalls> => ({
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
    sendFile(reply, { name: 'my-data', type: 'json' }, personalData(db, userId), recheckCaller),
  async closeAccount({ body: { password }, caller, request }) {
    await closeOwnAccount(db, { counters, address: request.ip }, caller, password)
    return { success: true, message: 'Your account is closed.' }
  },
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
