import { countWithoutWeight } from '#app/products/server/catalogue.sql.ts'
import { settingOf } from '#app/settings/server/service.ts'
import { sorterOf } from '#app/settings/server/sorter.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import type { shippingAdminCalls } from '../admin-contract.ts'
import type { shippingCalls } from '../contract.ts'
import { namedCountries } from '../model.ts'
import { presentZone } from './presenter.ts'
import { removeZone, saveZone } from './service.ts'
import { hasWeightRate, selectZones } from './store.ts'

export const shippingHandlers = (db: Database): Handlers<typeof shippingCalls> => ({
  async getCountries() {
    const [own, locale, zones] = await Promise.all([
      settingOf(db, 'country'),
      settingOf(db, 'locale'),
      selectZones(db),
    ])
    const places = new Set(zones.flatMap((zone) => zone.places.map(({ country }) => country)))
    const isEverywhere = zones.length === 0 || zones.some((zone) => zone.is_default)
    const countries = namedCountries(locale)
      .map(({ code }) => code)
      .filter((code) => isEverywhere || places.has(code))
    const isOwn = (code: string) => code === own
    return { countries: [...countries.filter(isOwn), ...countries.filter((code) => !isOwn(code))] }
  },
})

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
