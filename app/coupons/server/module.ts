import type { DomainModule } from '#app/shared/server/domain-module.ts'
import { serve } from '#app/shared/server/mount.ts'
import { rowsOfUser } from '#app/shared/server/personal-data-store.ts'
import { couponAdminCalls } from '../admin-contract.ts'
import { couponAdminHandlers } from './api.ts'
import { AUDITED_COUPONS, chosenDiscounts } from './store.ts'
import { COUPON_INVARIANTS, insertFormerUser } from './uses.sql.ts'

export const coupons: DomainModule<{ SMTP_URL?: string }> = {
  open: ({ db, settings }) => ({
    calls: [serve(couponAdminCalls, couponAdminHandlers(db, settings))],
  }),
  personalData: {
    coupons: {
      name: 'chosen_for_discounts',
      section: chosenDiscounts,
      erase:
        'Those of chosen customers have their ids, which name nobody once the account is closed.',
    },
    coupon_uses: {
      section: rowsOfUser('coupon_uses', { key: ['payment_id', 'coupon_id'] }),
      // uses stay, with a keyed hash of their customer: they count when the address is registered again
      erase: (tx, { userId }) => insertFormerUser(tx, userId),
    },
    former_coupon_users: {
      section: 'It has rows of closed accounts only, which have no user who could export them.',
      erase:
        'It has no personal data but a keyed hash, without which a closed account would get coupons again.',
    },
  },
  invariants: COUPON_INVARIANTS,
  auditedRows: AUDITED_COUPONS,
}
