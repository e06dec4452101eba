import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { auditCalls } from '../admin-contract.ts'
import { auditHandlers } from './api.ts'
import { entriesOfUser } from './store.ts'

export const audit: DomainModule = {
  open: ({ db, auditedRows }) => ({
    calls: [serve(auditCalls, auditHandlers(db, auditedRows))],
  }),
  personalData: {
    audit_log: {
      section: entriesOfUser,
      erase: 'Its entries have no personal values, and are the proof of who changed what.',
    },
  },
}
