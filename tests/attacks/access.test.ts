/** Access control: every declared call × kinds of caller × verbs and variants of the path. */
import { beforeAll, describe } from 'vitest'
import { hashOf } from '#app/accounts/server/sessions.ts'
import {
  CALLER_KINDS,
  type CallerKind,
  isOpen,
  REFUSALS,
  refusalOf,
} from '#app/shared/contract/access.ts'
import { addPerson, PASSWORD, PASSWORD_HASH } from '#tests/support/accounts.ts'
import { declared } from '#tests/support/declared.ts'
import { type Attack, defend, hearing } from './support/attack.ts'
import { type Attempt, by, type Headers } from './support/http.ts'
import { addOwner, type Owner, privateTexts } from './support/owner.ts'
import { requestFor } from './support/requests.ts'
import { rowsOf } from './support/state.ts'
import { openWorld } from './support/world.ts'

const world = openWorld()
let owner: Owner
let admin = ''
/** The callers of each kind, those with the most rights last. */
let callers: Record<CallerKind, Record<string, Headers>>

/** A token whose session this request has ended. */
async function endedBy(path: string, body: object) {
  const { db, post } = world().shop
  const { id, email, token } = await addPerson(db)
  // the security answer equals the password
  const change = db.updateTable('users').set({ answer_hash: PASSWORD_HASH })
  await change.where('id', '=', id).execute()
  const { status } = await post(path, { token, body: { email, ...body } })
  if (status !== 200) throw new Error(`${path} answers ${status}`)
  return token
}

async function demotedAdmin() {
  const { db, put } = world().shop
  const { id, token } = await addPerson(db, { admin: true })
  const { status } = await put(`/auth/user-role/${id}`, { token: admin, body: { role: 0 } })
  if (status !== 200) throw new Error(`Demoting answers ${status}`)
  return token
}

beforeAll(async () => {
  const { shop } = world()
  owner = await addOwner(shop)
  admin = (await addPerson(shop.db, { admin: true })).token
  const reset = { answer: PASSWORD, newPassword: 'another-horse' }
  const guest = {
    guest: {},
    'made-up token': { authorization: 'x'.repeat(43) },
    'oversize token': { authorization: 'x'.repeat(10_000) },
    'nested token': { authorization: `{"token":"${admin}","role":1,"__proto__":{"admin":true}}` },
    'hash of a token, as it is stored': { authorization: hashOf(admin).toString('hex') },
    'token as cookie': { cookie: `token=${admin}; auth=${admin}; session=${admin}` },
    'session before a reset': { authorization: await endedBy('/auth/forgot-password', reset) },
    'closed account': {
      authorization: await endedBy('/auth/close-account', { password: PASSWORD }),
    },
  }
  const user = {
    'another customer': { authorization: (await addPerson(shop.db)).token },
    'demoted admin': { authorization: await demotedAdmin() },
  }
  callers = { guest, user, admin: {} }
})

/** Variants of a path that a guard might overlook. */
function detours(attempt: Attempt): Record<string, Attempt> {
  const { path, method } = attempt
  const verb = (other: string) => ({ ...attempt, method: other, body: undefined })
  return {
    'a slash at the end': { ...attempt, path: `${path}/` },
    'two slashes': { ...attempt, path: path.replace('/v1/', '/v1//') },
    'capital letters': { ...attempt, path: path.toUpperCase() },
    'an encoded letter': { ...attempt, path: path.replace('/v1/', '/%761/') },
    'a way up': { ...attempt, path: path.replace('/v1/', '/v1/x/../') },
    'an ending': { ...attempt, path: `${path}.data` },
    HEAD: verb('HEAD'),
    PATCH: verb('PATCH'),
    'GET that says it is another': by({ 'x-http-method-override': method }, verb('GET')),
  }
}

const refuses: Attack = async function* ({ shop, send }) {
  const before = await rowsOf(shop.db)
  for (const [name, endpoint] of declared.filter(([, { access }]) => !isOpen(access))) {
    const attempt = requestFor(endpoint, owner)
    let nearest: Headers = {}
    for (const kind of CALLER_KINDS) {
      const refusal = refusalOf(endpoint.access, kind)
      for (const [who, headers] of refusal ? Object.entries(callers[kind]) : []) {
        const { status, text } = await send(by(headers, attempt))
        if (!refusal || status !== REFUSALS[refusal]) yield `${name} answers ${status} to ${who}`
        if (privateTexts(owner).some((secret) => text.includes(secret)))
          yield `${name} tells ${who}`
        nearest = headers
      }
    }
    // by the caller with the most rights of those that are refused
    for (const [way, other] of Object.entries(detours(by(nearest, attempt)))) {
      const { status } = await send(other)
      // a page answers unknown paths with 404, or redirects to the canonical one
      if (status < 300) yield `${name} by ${way} answers ${status}`
    }
  }
  if ((await rowsOf(shop.db)).join() !== before.join()) yield 'something was changed'
}

/** A shop that treats some requests as an admin's. */
const opening = (isOpen: (attempt: Attempt) => boolean) =>
  hearing((attempt) => {
    const mended = { ...attempt, path: attempt.path.replace(/\/$/, '') }
    return isOpen(attempt) ? by({ authorization: admin }, mended) : attempt
  })

const sentBy = (who: string) => (attempt: Attempt) =>
  attempt.headers?.authorization === (callers.guest[who]?.authorization ?? '')

describe('every call', () => {
  defend('class 4, 5, 7, 8, 14, 24: is refused to who may not make it', world, refuses, {
    'a nested token is unpacked': [/ to nested token/, opening(sentBy('nested token'))],
    'a reset ends no session': [/ before a reset/, opening(sentBy('session before a reset'))],
    "nobody's money is shown to everybody": [
      /Payments answers 200 to guest/,
      opening(({ path }) => path.endsWith('/payment/payments')),
    ],
    'the guard of one verb is missing': [
      /endUserSessions answers 200 to guest/,
      opening(({ method, path }) => method === 'DELETE' && path.includes('/user-sessions/')),
    ],
    'a slash at the end goes past the guard': [
      /by a slash at the end answers 200/,
      opening(({ path }) => path.endsWith('/')),
    ],
    'a demoted admin stays one for a while': [
      / to demoted admin/,
      opening((one) => one.headers?.authorization === callers.user['demoted admin']?.authorization),
    ],
  })
})
