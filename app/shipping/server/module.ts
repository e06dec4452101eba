import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { shippingAdminCalls } from '../admin-contract.ts'
import { shippingCalls } from '../contract.ts'
import { shippingAdminHandlers, shippingHandlers } from './api.ts'
import { AUDITED_SHIPPING } from './store.ts'

export const shipping: DomainModule = {
  open: ({ db }) => ({
    calls: [
      serve(shippingCalls, shippingHandlers(db)),
      serve(shippingAdminCalls, shippingAdminHandlers(db)),
    ],
  }),
  auditedRows: AUDITED_SHIPPING,
}
