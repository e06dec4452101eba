import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { auditCalls } from '../admin-contract.ts'
import { auditHandlers } from './api.ts'

export const audit: DomainModule = {
  open: ({ db }) => ({ calls: [serve(auditCalls, auditHandlers({ db }))] }),
}
