import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { checkoutCalls } from '../contract.ts'
import { checkoutHandlers } from './api.ts'

export const checkout: DomainModule = {
  open: ({ db, counters }) => ({
    calls: [serve(checkoutCalls, checkoutHandlers({ db, counters }))],
  }),
}
