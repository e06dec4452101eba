import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import {
  ACCESS,
  type Answer,
  API_PREFIX,
  type Contract,
  type Endpoint,
  type Input,
} from '../contract/endpoint.ts'
import { FailureBody } from '../contract/failure.ts'
import { forbidden, unauthorized } from './failure.ts'
import { refuseBrokenText, refusePoisonedKeys } from './validation.ts'

/** Who calls: resolved anew from the token at every guarded call. */
export type Caller = { userId: string; admin: boolean; session: Buffer }

/** Finds out who a token belongs to; null when it is unknown, expired or revoked. */
export type Identify = (token: string) => Promise<Caller | null>

type CallerOf<E extends Endpoint> = E extends { access: 'public' } ? undefined : Caller

/** Answers one endpoint. `reply` is for headers and status; the answer is returned. */
export type Handler<E extends Endpoint> = (
  input: Input<E> & { caller: CallerOf<E>; request: FastifyRequest; reply: FastifyReply },
) => Promise<Answer<E>> | Answer<E>

/** One handler for every declared call of a contract: a forgotten one does not compile. */
export type Handlers<C extends Contract> = { [Name in keyof C]: Handler<C[Name]> }

/** The session token: the whole Authorization header; `Bearer ` in front is tolerated. */
const tokenOf = (request: FastifyRequest) =>
  (request.headers.authorization ?? '').replace(/^Bearer /i, '').trim()

async function requireCaller(
  request: FastifyRequest,
  access: Endpoint['access'],
  identify: Identify,
) {
  const token = tokenOf(request)
  const caller = token === '' ? null : await identify(token)
  if (!caller) throw unauthorized('Please log in.')
  if (access === 'admin' && !caller.admin) throw forbidden('This is for admins only.')
  return caller
}

const documentation = ({ access, summary, path }: Endpoint) => ({
  summary,
  tags: [path.split('/')[1] ?? ''],
  security: access === 'public' ? [] : [{ token: [] }],
})

function routeOptions(
  declared: Endpoint,
  callers: WeakMap<FastifyRequest, Caller>,
  identify: Identify,
) {
  const { access, params, query, body, answer, multipart, repeatsMessage } = declared
  const options: RouteShorthandOptions = {
    schema: {
      ...documentation(declared),
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && !multipart && { body }),
      response: { [declared.status ?? 200]: answer, '4xx': FailureBody, '5xx': FailureBody },
    },
    ...(repeatsMessage && { config: { repeatsMessage } }),
    preValidation: async (request) => {
      refuseBrokenText(request)
      refusePoisonedKeys(request.body)
    },
  }
  if (access !== 'public') {
    options.onRequest = async (request) => {
      callers.set(request, await requireCaller(request, access, identify))
    }
  }
  return options
}

/**
 * Mounts a contract's endpoints. Deny by default: one that declares no access stops the start.
 */
export function mount<C extends Contract>(
  app: FastifyInstance,
  contract: C,
  handlers: Handlers<C>,
  identify: Identify,
) {
  const callers = new WeakMap<FastifyRequest, Caller>()
  for (const [name, declared] of Object.entries(contract)) {
    if (!ACCESS.includes(declared.access))
      throw new Error(`The endpoint ${name} declares no access.`)
    const handle = handlers[name] as unknown as (input: object) => unknown
    app.route({
      method: declared.method,
      url: API_PREFIX + declared.path,
      ...routeOptions(declared, callers, identify),
      handler: async (request, reply) => {
        reply.status(declared.status ?? 200)
        const { params, query, body } = request
        return handle({ params, query, body, caller: callers.get(request), request, reply })
      },
    })
  }
}
