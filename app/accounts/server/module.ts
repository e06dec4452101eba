import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { userAdminCalls } from '../admin-contract.ts'
import { accountCalls } from '../contract.ts'
import { sessionCalls } from '../session-contract.ts'
import { userAdminHandlers } from './admin/api.ts'
import { accountHandlers, sessionHandlers } from './api.ts'
import { findCaller } from './sessions.ts'

export const accounts: DomainModule = {
  open: ({ db, counters }) => ({
    calls: [
      serve(accountCalls, accountHandlers({ db, counters })),
      serve(sessionCalls, sessionHandlers({ db })),
      serve(userAdminCalls, userAdminHandlers({ db })),
    ],
    identify: (token) => findCaller(db, token),
  }),
}
