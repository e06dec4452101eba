import { sorterOf } from '#app/settings/server/sorter.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import type { taxAdminCalls } from '../admin-contract.ts'
import { presentPlace } from './presenter.ts'
import {
  removeTaxClass,
  removeTaxRate,
  saveTaxClass,
  saveTaxRate,
  saveTaxSettings,
  taxSettingsOf,
} from './service.ts'
import { selectClasses, selectRates } from './store.ts'

/** All classes by name. */
async function classesOf(db: Database) {
  const [sort, classes] = await Promise.all([sorterOf(db), selectClasses(db)])
  return sort(classes)
}

/** The handlers of the back office's calls. */
export const taxAdminHandlers = (db: Database): Handlers<typeof taxAdminCalls> => ({
  async getTaxes() {
    const [settings, classes, rates] = await Promise.all([
      taxSettingsOf(db),
      classesOf(db),
      selectRates(db),
    ])
    return { settings: presentPlace(settings), classes, rates: rates.map(presentPlace) }
  },
  getTaxClasses: () => classesOf(db),
  async saveTaxSettings({ body, caller }) {
    await saveTaxSettings(db, admin(caller), body)
    return { success: true, message: 'The tax settings are saved' }
  },
  async createTaxClass({ body: { name }, caller }) {
    const taxClass = await saveTaxClass(db, admin(caller), { name })
    return { success: true, message: `${taxClass.name} is created`, taxClass }
  },
  async updateTaxClass({ params: { id }, body: { name }, caller }) {
    const taxClass = await saveTaxClass(db, admin(caller), { id, name })
    return { success: true, message: `${taxClass.name} is updated`, taxClass }
  },
  async deleteTaxClass({ params, caller }) {
    await removeTaxClass(db, admin(caller), params.id)
    return { success: true, message: 'The tax class is deleted' }
  },
  async createTaxRate({ body, caller }) {
    const rate = await saveTaxRate(db, admin(caller), { form: body })
    return { success: true, message: `${rate.name} is created`, rate }
  },
  async updateTaxRate({ params, body, caller }) {
    const rate = await saveTaxRate(db, admin(caller), { id: params.id, form: body })
    return { success: true, message: `${rate.name} is updated`, rate }
  },
  async deleteTaxRate({ params, caller }) {
    await removeTaxRate(db, admin(caller), params.id)
    return { success: true, message: 'The tax rate is deleted' }
  },
})
