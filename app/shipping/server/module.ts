import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { shippingAdminCalls } from '../admin-contract.ts'
import { shippingAdminHandlers } from './api.ts'
import { AUDITED_SHIPPING } from './store.ts'

export const shipping: DomainModule = {
  open: ({ db }) => ({ calls: [serve(shippingAdminCalls, shippingAdminHandlers(db))] }),
  auditedRows: AUDITED_SHIPPING,
}
