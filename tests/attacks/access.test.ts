/** Who may call what: every declared call × every kind of caller × verbs and spellings of the path. */
import { beforeAll, describe } from 'vitest'
import type { Access, Endpoint } from '#app/shared/contract/endpoint.ts'
import { declared } from '#tests/support/declared.ts'
import { type Attack, defend } from './support/attack.ts'
import type { Attempt, Headers, Response, Send } from './support/http.ts'
import {
  addOwner,
  type Caller,
  callersOf,
  type Owner,
  personOf,
  privateTexts,
} from './support/people.ts'
import { asJson, by, requestFor } from './support/requests.ts'
import { changesBetween, rowsOf } from './support/state.ts'
import { openWorld, type World } from './support/world.ts'

const world = openWorld()
let owner: Owner
let callers: Caller[]
beforeAll(async () => {
  owner = await addOwner(world().shop)
  callers = await callersOf(world().shop)
})

const NEEDED: Record<Access, number> = { public: 0, user: 1, admin: 2 }
/** Who comes nearest to being let in. */
const ALMOST: Record<Access, string> = { public: '', user: 'ended session', admin: 'demoted admin' }

const guarded = declared.filter(([, { access }]) => access !== 'public')

const respell = (attempt: Attempt, path: string): Attempt => ({ ...attempt, path })
const withVerb = (attempt: Attempt, method: string, headers: Headers = {}): Attempt =>
  by(headers, { ...attempt, method, body: undefined })

/** Ways to the same call that a guard might overlook. */
function detours(attempt: Attempt): Record<string, Attempt> {
  const { path, method } = attempt
  const [plain = '', query = ''] = path.split('?')
  const asQuery = query === '' ? '' : `?${query}`
  const override = { 'x-http-method-override': method, 'x-method-override': method }
  return {
    'a slash at the end': respell(attempt, `${plain}/${asQuery}`),
    'two slashes': respell(attempt, path.replace('/v1/', '/v1//')),
    'slashes in front': respell(attempt, `//${path.slice(1)}`),
    'capital letters': respell(attempt, plain.toUpperCase() + asQuery),
    'an encoded letter': respell(attempt, path.replace('/v1/', '/%761/')),
    'an encoded slash': respell(attempt, path.replace('/v1/', '/v1%2f')),
    'a way up': respell(attempt, path.replace('/v1/', '/v1/x/../')),
    'a semicolon': respell(attempt, `${plain};x=1${asQuery}`),
    'an ending': respell(attempt, `${plain}.data${asQuery}`),
    'a page of it': respell(attempt, `${plain}.json${asQuery}`),
    'another path in a header': by(
      { 'x-original-url': path, 'x-rewrite-url': path },
      respell(attempt, '/api/v1/category/get-category'),
    ),
    HEAD: withVerb(attempt, 'HEAD'),
    OPTIONS: withVerb(attempt, 'OPTIONS'),
    TRACE: withVerb(attempt, 'TRACE'),
    PATCH: withVerb(attempt, 'PATCH'),
    'GET that says it is another': withVerb(attempt, 'GET', override),
  }
}

/** Spelt as it is declared, the refusal is exactly this; a detour may be answered as if nothing were there. */
const expected = ({ rank }: Caller) => (rank === 0 ? 401 : 403)

const leaks = ({ text, headers }: Response) =>
  privateTexts(owner).filter((secret) => (text + JSON.stringify(headers)).includes(secret))

/** The refusals that are owed, and what is in them. */
async function* refusals(send: Send, name: string, endpoint: Endpoint, caller: Caller) {
  const attempt = by(caller.headers, requestFor(endpoint, owner))
  const plain = await send(attempt)
  const refusal = expected(caller)
  if (plain.status !== refusal) yield `${name} answers ${plain.status} to ${caller.who}`
  yield* leaks(plain).map((secret) => `${name} shows ${secret} to ${caller.who}`)
  // of who may almost: the highest rank that may not
  if (caller.who !== ALMOST[endpoint.access]) return
  for (const [way, other] of Object.entries(detours(attempt))) {
    const answer = await send(other)
    yield* leaks(answer).map((secret) => `${name} by ${way} shows ${secret} to ${caller.who}`)
    const isElsewhere = way === 'another path in a header'
    // a page of the site answers what is no call: with 404, or by sending to the right spelling
    if (answer.status < 300 && !isElsewhere)
      yield `${name} by ${way} answers ${answer.status} to ${caller.who}`
  }
}

const refuses: Attack = async function* ({ shop, send }) {
  const before = await rowsOf(shop.db)
  for (const [name, endpoint] of guarded) {
    for (const caller of callers) {
      if (caller.rank < NEEDED[endpoint.access]) yield* refusals(send, name, endpoint, caller)
    }
  }
  for (const table of changesBetween(before, await rowsOf(shop.db))) yield `${table} was changed`
}

const isRead = ({ method }: Endpoint) => method === 'GET'

/** What is refused is refused for who sends it, and for nothing else. */
const admits: Attack = async function* ({ shop, send }) {
  for (const [name, endpoint] of declared) {
    const rank = NEEDED[endpoint.access]
    const somebody = await personOf(shop, rank as 0 | 1 | 2)
    const headers: Headers = somebody ? { authorization: somebody.token } : {}
    const { status, text } = await send(
      by(headers, requestFor(endpoint, isRead(endpoint) ? owner : await addOwner(shop))),
    )
    if (status === 401 || status === 403 || status >= 500)
      yield `${name} answers ${status}: ${text}`
  }
}

/** A public call answers alike, whoever asks and whatever token they send. */
const isBlind: Attack = async function* ({ send }) {
  for (const [name, endpoint] of declared.filter(([, { access }]) => access === 'public')) {
    const request = requestFor(endpoint, owner)
    // what would be changed is refused for want of fields
    const attempt = isRead(endpoint) ? request : { ...request, ...asJson({}) }
    const plain = await send(attempt)
    if ([401, 403].includes(plain.status)) yield `${name} is not public`
    yield* leaks(plain).map((secret) => `${name} shows ${secret}`)
    for (const { who, headers } of callers) {
      const { status, text } = await send(by(headers, attempt))
      const isAlike = status === plain.status && (status >= 400 || text === plain.text)
      if (!isAlike) yield `${name} answers ${who} otherwise`
    }
  }
}

/** A hole through which a request passes as if an admin had sent it. */
const asAdmin = (
  finding: RegExp,
  isOpen: (attempt: Attempt) => boolean,
  mended = (one: Attempt) => one,
) => ({
  finding,
  plant: (send: Send, _: World) => (attempt: Attempt) => {
    const admin = callers.find(({ rank }) => rank === 2)?.headers ?? {}
    return send(isOpen(attempt) ? by(admin, mended(attempt)) : attempt)
  },
})

const isDelete = ({ method, path }: Attempt) =>
  method === 'DELETE' && path.includes('/user-sessions/')
const tokenOf = ({ headers }: Attempt) => String(headers?.authorization ?? '')

describe('every call', () => {
  defend('class 4, 7, 8, 14, 24: is refused to everybody who may not make it', {
    world,
    attack: refuses,
    holes: {
      'the guard of one verb is missing': asAdmin(/endUserSessions answers 200 to guest/, isDelete),
      'a nested token is unpacked': asAdmin(/ to nested token/, (one) =>
        tokenOf(one).startsWith('{'),
      ),
      'a cookie counts': asAdmin(
        / to token as cookie/,
        ({ headers }) => headers?.cookie !== undefined,
      ),
      'HEAD is not guarded': asAdmin(/by HEAD answers 200/, ({ method }) => method === 'HEAD'),
      'a slash at the end goes past the guard': asAdmin(
        /by a slash at the end (shows|answers 200)/,
        ({ path }) => path.includes('/all-orders/'),
        (one) => ({ ...one, path: one.path.replace('/all-orders/', '/all-orders') }),
      ),
    },
  })
  defend('class 24: is open to who may make it', {
    world,
    attack: admits,
    holes: {
      'a call is shut to all': {
        finding: /getOrders answers 40[13]/,
        plant: (send) => (attempt) =>
          send(
            attempt.path.includes('/auth/orders') ? by({ authorization: '' }, attempt) : attempt,
          ),
      },
    },
  })
  defend('class 7, 20: that is public answers everybody alike', {
    world,
    attack: isBlind,
    holes: {
      'an admin sees more': {
        finding: /answers admin otherwise/,
        plant: (send) => async (attempt) => {
          const response = await send(attempt)
          const isAdmin = callers.some(
            ({ rank, headers }) =>
              rank === 2 && headers.authorization === attempt.headers?.authorization,
          )
          return isAdmin ? { ...response, text: `${response.text} ` } : response
        },
      },
    },
  })
})
