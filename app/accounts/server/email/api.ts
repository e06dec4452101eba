import type { accountEmailCalls } from '#app/accounts/email-contract.ts'
import { conflict } from '#app/shared/server/failure.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import { confirmEmail, emailStatus, sendConfirmation } from './confirmation.ts'
import { requestResetLink, resetByLink } from './reset-link.ts'

/** `sendsEmail`: whether e-mails reach their recipients. */
type Dependencies = { db: Database; sendsEmail: boolean }

const CONFIRMED = 'Your e-mail address is confirmed.'
/** For a client without a session of the account. */
const CONFIRMED_ELSEWHERE = `${CONFIRMED} For your safety, the security answer that was set before no longer works, and every device is signed out: please log in, and set a new answer in your profile.`

export const accountEmailHandlers = ({
  db,
  sendsEmail,
}: Dependencies): Handlers<typeof accountEmailCalls> => ({
  async requestResetLink({ body: { email } }) {
    if (!sendsEmail)
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
