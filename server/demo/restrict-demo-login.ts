import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accountCalls } from '#app/accounts/contract.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { Identify } from '#app/shared/server/access.ts'
import { isDemoEmail } from '#demo/lock-accounts.ts'
import { isForwarded } from './real-shop.ts'

const { login, forgotPassword } = accountCalls
const GUARDED = [login, forgotPassword].map(({ path }) => API_PREFIX + path)

/** An e-mail that no account can have. */
const NO_ACCOUNT_EMAIL = ''

/**
 * Refuses the demo accounts to requests that were forwarded by a proxy: log-in and password reset
 * answer as for an unknown e-mail, with the same message, duration and limits.
 */
export function refuseForwardedLogIns(app: FastifyInstance) {
  app.addHook('preHandler', async (request: FastifyRequest) => {
    if (!GUARDED.includes(request.routeOptions.url ?? '') || !isForwarded(request.raw)) return
    const { body } = request as FastifyRequest<{ Body: { email: string } }>
    if (isDemoEmail(body.email)) body.email = NO_ACCOUNT_EMAIL
  })
}

/** The given `identify`, except that sessions of these users are unknown in forwarded requests. */
export const refusingForwarded =
  (identify: Identify, userIds: ReadonlySet<string>): Identify =>
  async (token, request) => {
    const caller = await identify(token, request)
    return caller && userIds.has(caller.userId) && isForwarded(request.raw) ? null : caller
  }
