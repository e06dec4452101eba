import { sendsEmail } from '#app/emails/server/settings.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import { sendFile } from '#app/shared/server/send-file.ts'
import type { Database } from '#db/schema.ts'
import type { Coupon, couponAdminCalls } from '../admin-contract.ts'
import { exportCoupons } from './export.ts'
import { addCoupon, changeCoupon, findCoupon, removeCoupon } from './service.ts'
import { selectCoupons } from './store.ts'

const nameOf = ({ title, code }: Pick<Coupon, 'title' | 'code'>) => title ?? code

export const couponAdminHandlers = (
  db: Database,
  settings: Parameters<typeof sendsEmail>[0],
): Handlers<typeof couponAdminCalls> => ({
  async getCoupons({ query: { page, ...filter }, request, reply }) {
    const { coupons, total } = await selectCoupons(db, filter, sliceOf(page), sendsEmail(settings))
    setPagingHeaders(request, reply, { page, total })
    return coupons
  },
  getCoupon: ({ params: { id } }) => findCoupon(db, id, sendsEmail(settings)),
  async createCoupon({ body, caller }) {
    const coupon = await addCoupon(db, admin(caller), body, sendsEmail(settings))
    return { success: true, message: `${nameOf(coupon)} is created`, coupon }
  },
  async updateCoupon({ params: { id }, body, caller }) {
    const coupon = await changeCoupon(db, admin(caller), id, body, sendsEmail(settings))
    return { success: true, message: `${nameOf(coupon)} is updated`, coupon }
  },
  async deleteCoupon({ params: { id }, caller }) {
    await removeCoupon(db, admin(caller), id)
    return { success: true, message: 'The discount is deleted' }
  },
  exportCoupons: ({ recheckCaller, reply }) =>
    sendFile(reply, { name: 'coupons', type: 'csv' }, exportCoupons(db), recheckCaller),
})
