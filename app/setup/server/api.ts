import { presentUser } from '#app/accounts/server/service.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import type { setupCalls } from '../contract.ts'
import { makeFirstAdmin } from './service.ts'

type Dependencies = { db: Database; counters: CounterStore }

export const setupHandlers = ({ db, counters }: Dependencies): Handlers<typeof setupCalls> => ({
  async makeFirstAdmin({ body, request }) {
    const { ip: address, headers } = request
    const client = { counters, address, userAgent: headers['user-agent'] }
    const { user, token } = await makeFirstAdmin(db, client, body)
    return { success: true, message: 'Your shop is open', user: presentUser(user), token }
  },
})
