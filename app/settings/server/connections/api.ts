import { userOf } from '#app/accounts/server/profile.ts'
import type { connectionCalls } from '#app/settings/connection-contract.ts'
import type { CounterStore } from '#app/shared/server/limits/counters.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { prove } from './address-proof.ts'
import { type ConnectionContext, connectionsOf, saveConnection, testConnection } from './service.ts'

export const connectionHandlers = (
  context: ConnectionContext,
  counters: CounterStore,
): Handlers<typeof connectionCalls> => ({
  getConnections: async () => connectionsOf(context),
  async saveConnection({ params: { name }, body, caller, request: { ip: address } }) {
    await saveConnection(context, { counters, address }, caller, { ...body, name })
    return { success: true, message: 'Saved. Every process of the shop uses it within seconds.' }
  },
  async testConnection({ params: { name }, caller }) {
    const { email } = await userOf(context.db, caller)
    return testConnection(context, name, email)
  },
  proveAddress: async ({ params: { challenge } }) => ({
    proof: await prove(context.db, challenge),
  }),
})
