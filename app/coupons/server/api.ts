import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { setPagingHeaders, sliceOf } from '#app/shared/server/pagination.ts'
import { sendFile } from '#app/shared/server/send-file.ts'
import type { Database } from '#db/schema.ts'
import type { couponAdminCalls } from '../admin-contract.ts'
import { exportCoupons } from './export.ts'
import { addCoupon, changeCoupon, findCoupon, removeCoupon } from './service.ts'
import { countCoupons, selectCoupons } from './store.ts'

export const couponAdminHandlers = (db: Database): Handlers<typeof couponAdminCalls> => ({
  async getCoupons({ query: { page }, request, reply }) {
    const [coupons, total] = await Promise.all([selectCoupons(db, sliceOf(page)), countCoupons(db)])
    setPagingHeaders(request, reply, { page, total })
    return coupons
  },
  getCoupon: ({ params: { id } }) => findCoupon(db, id),
  async createCoupon({ body, caller }) {
    const coupon = await addCoupon(db, admin(caller), body)
    return { success: true, message: `${coupon.code} is created`, coupon }
  },
  async updateCoupon({ params: { id }, body, caller }) {
    const coupon = await changeCoupon(db, admin(caller), id, body)
    return { success: true, message: `${coupon.code} is updated`, coupon }
  },
  async deleteCoupon({ params: { id }, caller }) {
    await removeCoupon(db, admin(caller), id)
    return { success: true, message: 'The coupon is deleted' }
  },
  exportCoupons: ({ recheckCaller, reply }) =>
    sendFile(reply, { name: 'coupons', type: 'csv' }, exportCoupons(db), recheckCaller),
})
