import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import type { accountCalls } from '../contract.ts'
import { presentUser } from './present-user.ts'
import { changeProfile, openAccount, resetPassword, signIn, signOut } from './service.ts'

export const accountHandlers = ({ db }: { db: Database }): Handlers<typeof accountCalls> => ({
  async register({ body }) {
    const user = await openAccount(db, body)
    return { success: true, message: 'Registered successfully', user: presentUser(user) }
  },
  async login({ body }) {
    const { user, token } = await signIn(db, body)
    return { success: true, message: 'Logged in successfully', user: presentUser(user), token }
  },
  async forgotPassword({ body }) {
    await resetPassword(db, body)
    return { success: true, message: 'Password reset successfully' }
  },
  async logout({ caller }) {
    await signOut(db, caller)
    return { success: true }
  },
  checkUser: () => ({ ok: true }),
  async updateProfile({ body, caller }) {
    const user = await changeProfile(db, caller, body)
    return {
      success: true,
      message: 'Profile Updated Successfully',
      updatedUser: presentUser(user),
    }
  },
})
