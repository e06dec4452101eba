import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { couponAdminCalls } from '../admin-contract.ts'
import { couponAdminHandlers } from './api.ts'
import { COUPON_INVARIANTS } from './uses-store.ts'

export const coupons: DomainModule = {
  open: ({ db }) => ({ calls: [serve(couponAdminCalls, couponAdminHandlers({ db }))] }),
  invariants: COUPON_INVARIANTS,
}
