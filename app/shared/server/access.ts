/** Access to endpoints: callers are identified, counted by the limits, and refused with 401, 403 or 429. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type Access,
  type AccountKind,
  type CallerKind,
  isOpen,
  type Refusal,
  refusalOf,
} from '../contract/access.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { adminsOnly, type Failure, logInFirst } from './failure.ts'
import type { CounterStore } from './limits/counters.ts'
import { GUARDED_CALLS, limiterOf, limitsOf } from './limits/limits.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller of a declared endpoint, once identified. */
    caller?: Caller | undefined
    /** Whether the body arrived after the caller was identified. */
    isLate?: boolean
  }
}

/** The caller, resolved from the token for every guarded call. */
export type Caller = { userId: string; kind: AccountKind; session: Buffer }

type CallerOfKind = { user: Caller; admin: Caller }

/** The callers that a token identifies, by kind. A new kind states its own. */
export type Callers = { [Kind in Exclude<CallerKind, 'guest'>]: CallerOfKind[Kind] }

/** Resolves a session token; null when it is unknown, expired or revoked. */
export type Identify = (token: string, request: FastifyRequest) => Promise<Caller | null>

/** The session token: the whole Authorization header, optionally with the prefix `Bearer `. */
export const tokenOf = (request: FastifyRequest) =>
  (request.headers.authorization ?? '').replace(/^Bearer /i, '').trim()

async function identifyCaller(request: FastifyRequest, identify: Identify) {
  const token = tokenOf(request)
  request.caller = (token !== '' && (await identify(token, request))) || undefined
  return request.caller
}

const FAILURES: Record<Refusal, () => Failure> = {
  'log in first': logInFirst,
  'admins only': adminsOnly,
}

/** Identifies the caller of a level that needs a session. Throws the refusal that `ACCESS` has. */
async function requireCaller(request: FastifyRequest, access: Access, identify: Identify) {
  const caller = await identifyCaller(request, identify)
  const refusal = refusalOf(access, caller?.kind ?? 'guest')
  if (refusal) throw FAILURES[refusal]()
  if (!caller) throw logInFirst()
  return caller
}

/**
 * Checks limits and caller before the body is read. The caller is checked again when the body
 * arrived later, because the session or role may have ended since.
 */
export function checksOf(declared: Endpoint, identify: Identify, counters: CounterStore) {
  const { access } = declared
  const limiter = limiterOf(counters, { ...declared, limits: limitsOf(declared) })
  if (isOpen(access)) {
    const onRequest = (request: FastifyRequest) => limiter.byAddress(request)
    const preHandler = async (request: FastifyRequest) => {
      await limiter.byAccount(request, null)
      if (declared.identifiesCaller) await identifyCaller(request, identify)
    }
    return { hooks: { onRequest, preHandler }, recheck: async () => {} }
  }
  const ofAllGuarded = limiterOf(counters, GUARDED_CALLS)
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    // private answers must not be stored by browsers or proxies
    reply.header('cache-control', 'no-store')
    await ofAllGuarded.byAddress(request)
    await limiter.byAddress(request)
    const caller = await requireCaller(request, access, identify)
    request.isLate = request.raw.complete === false
    await limiter.byAccount(request, caller.userId)
  }
  const recheck = async (request: FastifyRequest) => {
    await requireCaller(request, access, identify)
  }
  return { hooks: { onRequest }, recheck }
}

export type Checks = ReturnType<typeof checksOf>
