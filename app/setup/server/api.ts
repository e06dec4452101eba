import { LRUCache } from 'lru-cache'
import { presentUser } from '#app/accounts/server/service.ts'
import type { ChargeCurrency } from '#app/settings/server/currency.ts'
import type { Finding } from '#app/shared/server/doctor/finding.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import type { checklistCalls } from '../admin-contract.ts'
import type { setupCalls } from '../contract.ts'
import { checklistOf, type SetupSettings } from './checklist.ts'
import { makeFirstAdmin } from './service.ts'

export const setupHandlers = (
  db: Database,
  counters: CounterStore,
  chargedNow: () => ChargeCurrency,
): Handlers<typeof setupCalls> => ({
  async makeFirstAdmin({ body, request }) {
    const { ip: address, headers } = request
    const client = { counters, address, userAgent: headers['user-agent'] }
    const { user, token } = await makeFirstAdmin(db, client, body, chargedNow())
    return { success: true, message: 'Your shop is open', user: presentUser(user), token }
  },
})

/** `examine` runs the doctor. A demo has no checklist. */
export const checklistHandlers = ({
  db,
  settings,
  isDemo,
  examine,
}: {
  db: Database
  settings: SetupSettings
  isDemo: boolean
  examine: () => Promise<Finding[]>
}): Handlers<typeof checklistCalls> => {
  // made at most once a minute: the doctor reads whole tables
  const kept = new LRUCache<'findings', Finding[]>({ max: 1, ttl: 60_000, fetchMethod: examine })
  return {
    getChecklist: async () => (isDemo ? [] : checklistOf(db, settings)),
    getFindings: () => kept.forceFetch('findings'),
  }
}
