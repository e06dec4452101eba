import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { taxAdminCalls } from '../admin-contract.ts'
import { taxAdminHandlers } from './api.ts'
import { AUDITED_TAXES } from './store.ts'

export const taxes: DomainModule = {
  open: ({ db }) => ({ calls: [serve(taxAdminCalls, taxAdminHandlers(db))] }),
  auditedRows: AUDITED_TAXES,
}
