import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { userAdminCalls } from '../admin-contract.ts'
import { accountCalls } from '../contract.ts'
import { accountEmailCalls } from '../email-contract.ts'
import { sessionCalls } from '../session-contract.ts'
import { accountEmailHandlers, accountHandlers, sessionHandlers, userAdminHandlers } from './api.ts'
import { answerResetRequests } from './reset-link.ts'
import { findCaller } from './sessions.ts'

/** The settings of the shop that accounts read. */
type AccountSettings = { SMTP_URL?: string; CURRENCY_CHARGE: string }

export const accounts: DomainModule<AccountSettings> = {
  open: ({ db, counters, settings: { SMTP_URL, CURRENCY_CHARGE: currency } }) => ({
    calls: [
      serve(accountCalls, accountHandlers({ db, counters })),
      serve(accountEmailCalls, accountEmailHandlers({ db, sendsEmail: Boolean(SMTP_URL) })),
      serve(sessionCalls, sessionHandlers({ db })),
      serve(userAdminCalls, userAdminHandlers({ db, currency })),
    ],
    jobs: [
      {
        name: 'answering requests for reset links',
        everyMs: 2000,
        run: (closing) => answerResetRequests(db, closing),
      },
    ],
    identify: (token) => findCaller(db, token),
  }),
}
