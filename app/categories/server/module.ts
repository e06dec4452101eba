import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { categoryAdminCalls } from '../admin-contract.ts'
import { categoryCalls } from '../contract.ts'
import { categoryAdminHandlers, categoryHandlers } from './api.ts'
import { AUDITED_CATEGORIES } from './store.ts'

export const categories: DomainModule = {
  open: ({ db }) => ({
    calls: [
      serve(categoryCalls, categoryHandlers({ db })),
      serve(categoryAdminCalls, categoryAdminHandlers({ db })),
    ],
  }),
  auditedRows: AUDITED_CATEGORIES,
}
