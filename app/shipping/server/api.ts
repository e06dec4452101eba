import { countWithoutWeight } from '#app/products/server/catalogue.sql.ts'
import { sorterOf } from '#app/settings/server/sorter.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import type { shippingAdminCalls } from '../admin-contract.ts'
import { presentZone } from './presenter.ts'
import { removeZone, saveZone } from './service.ts'
import { hasWeightRate, selectZones } from './store.ts'

export const shippingAdminHandlers = (db: Database): Handlers<typeof shippingAdminCalls> => ({
  async getZones() {
    const [sort, rows] = await Promise.all([sorterOf(db), selectZones(db)])
    const zones = sort(rows).map(presentZone)
    if (!(await hasWeightRate(db))) return { zones }
    return { zones, productsWithoutWeight: await countWithoutWeight(db) }
  },
  async createZone({ body, caller }) {
    const zone = await saveZone(db, admin(caller), { zone: body })
    return { success: true, message: `${zone.name} is created`, zone }
  },
  async updateZone({ params: { id }, body, caller }) {
    const zone = await saveZone(db, admin(caller), { id, zone: body })
    return { success: true, message: `${zone.name} is updated`, zone }
  },
  async deleteZone({ params: { id }, caller }) {
    await removeZone(db, admin(caller), id)
    return { success: true, message: 'The shipping zone is deleted.' }
  },
})
