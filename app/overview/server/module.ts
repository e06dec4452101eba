import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { overviewCalls } from '../admin-contract.ts'
import { overviewHandlers } from './api.ts'

export const overview: DomainModule = {
  open: ({ db }) => ({ calls: [serve(overviewCalls, overviewHandlers(db))] }),
}
