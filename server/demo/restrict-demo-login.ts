import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accountCalls } from '#app/accounts/contract.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { Identify } from '#app/shared/server/mount.ts'
import { isDemoEmail } from '#demo/lock-accounts.ts'
import { isForwarded } from './real-shop.ts'

const { login, forgotPassword } = accountCalls
const GUARDED = [login, forgotPassword].map(({ path }) => API_PREFIX + path)

/** No account has it, and none can be opened with it. */
const NO_ACCOUNT_EMAIL = ''

/**
 * Makes the demo accounts unknown to requests that were forwarded by a proxy: a log-in, or a new
 * password by the answer, is refused in the words, the time and the count of an unknown e-mail.
 */
export function refuseForwardedLogIns(app: FastifyInstance) {
  app.addHook('preHandler', async (request: FastifyRequest) => {
    if (!GUARDED.includes(request.routeOptions.url ?? '') || !isForwarded(request.raw)) return
    const { body } = request as FastifyRequest<{ Body: { email: string } }>
    if (isDemoEmail(body.email)) body.email = NO_ACCOUNT_EMAIL
  })
}

/** The same `identify`, to which a forwarded session of one of these users is unknown. */
export const refusingForwarded =
  (identify: Identify, userIds: ReadonlySet<string>): Identify =>
  async (token, request) => {
    const caller = await identify(token, request)
    return caller && userIds.has(caller.userId) && isForwarded(request.raw) ? null : caller
  }
