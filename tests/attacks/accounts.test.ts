/** Accounts: how long sessions live, who outranks whom, and whether anybody can tell who has one. */
import { describe } from 'vitest'
import { openSession } from '#app/accounts/server/sessions.ts'
import { declared } from '#tests/support/declared.ts'
import type { Person } from '#tests/support/people.ts'
import { type Attack, defend, plant } from './support/attack.ts'
import type { Attempt, Send } from './support/http.ts'
import { ANSWER, addMember, addOwner, PASSWORD } from './support/people.ts'
import { asJson, by, requestFor } from './support/requests.ts'
import { openWorld, type World } from './support/world.ts'

const world = openWorld()

const NEW = 'another-horse'
const as = ({ token }: Person, method: string, path: string, body?: object): Attempt =>
  by({ authorization: token }, { method, path: `/api/v1${path}`, ...(body && asJson(body)) })
const guest = (path: string, body: object): Attempt => ({
  method: 'POST',
  path: `/api/v1${path}`,
  ...asJson(body),
})

type Ending = (person: Person, admin: Person) => Attempt

/** What must end the sessions of somebody. */
const ENDINGS: Record<string, Ending> = {
  'a reset by the answer': ({ email }) =>
    guest('/auth/forgot-password', { email, answer: ANSWER, newPassword: NEW }),
  'a new password': (person) =>
    as(person, 'PUT', '/auth/profile', { password: NEW, currentPassword: PASSWORD }),
  'an admin who ends them': ({ id }, admin) => as(admin, 'DELETE', `/auth/user-sessions/${id}`),
}

/** Whose sessions must have ended after this request. */
type Ended = { what: string; person: Person; attempt: Attempt }

async function* endings(shop: World['shop'], admin: Person): AsyncGenerator<Ended> {
  for (const [what, ending] of Object.entries(ENDINGS)) {
    const person = await addMember(shop)
    yield { what, person, attempt: ending(person, admin) }
  }
  // calls that close an account, by its owner or by an admin
  for (const [what, call] of declared.filter(([name]) => /^close/.test(name))) {
    const its = await addOwner(shop)
    const { token } = call.access === 'admin' ? admin : its.person
    yield { what, person: its.person, attempt: by({ authorization: token }, requestFor(call, its)) }
  }
}

const outlives: Attack = async function* ({ shop, send }) {
  const admin = await addMember(shop, { admin: true })
  for await (const { what, person, attempt } of endings(shop, admin)) {
    const row = await rowOf(shop, person)
    const others = [await openSession(shop.db, row), await openSession(shop.db, row)]
    const { status, text } = await send(attempt)
    if (status >= 300) yield `${what} answers ${status}: ${text}`
    for (const token of others) {
      const { status: answer } = await send(as({ ...person, token }, 'GET', '/auth/user-auth'))
      if (answer !== 401) yield `a session survives ${what}`
    }
  }
  const person = await addMember(shop, { admin: true })
  await send(as(admin, 'PUT', `/auth/user-role/${person.id}`, { role: 0 }))
  for (const [name, endpoint] of declared.filter(([, { access }]) => access === 'admin')) {
    const { status } = await send(
      by({ authorization: person.token }, requestFor(endpoint, await owner())),
    )
    if (status < 400) yield `a session survives a demotion: ${name}`
  }
}

const rowOf = ({ db }: World['shop'], { id }: Person) =>
  db.selectFrom('users').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

let shared: ReturnType<typeof addOwner> | undefined
const owner = () => {
  shared ??= addOwner(world().shop)
  return shared
}

/** Calls by which somebody who knows secrets of an account, or an admin, could rise above their rank. */
const rises: Attack = async function* ({ shop, send }) {
  const [admin, other] = [
    await addMember(shop, { admin: true }),
    await addMember(shop, { admin: true }),
  ]
  const customer = await addMember(shop)
  const refused: Record<string, Attempt> = {
    'a guest resets an admin by the right answer': guest('/auth/forgot-password', {
      email: other.email,
      answer: ANSWER,
      newPassword: NEW,
    }),
    'a customer makes themselves an admin': as(customer, 'PUT', `/auth/user-role/${customer.id}`, {
      role: 1,
    }),
    'a customer demotes an admin': as(customer, 'PUT', `/auth/user-role/${other.id}`, { role: 0 }),
    'a customer signs an admin out': as(customer, 'DELETE', `/auth/user-sessions/${other.id}`),
    'an admin demotes themselves': as(admin, 'PUT', `/auth/user-role/${admin.id}`, { role: 0 }),
    'an admin takes another rank': as(admin, 'PUT', `/auth/user-role/${customer.id}`, { role: 2 }),
    'an admin changes the password without the present one': as(admin, 'PUT', '/auth/profile', {
      password: NEW,
    }),
    'a customer changes the password with a wrong one': as(customer, 'PUT', '/auth/profile', {
      password: NEW,
      currentPassword: 'not it at all',
    }),
    'a customer sets an answer without the password': as(customer, 'PUT', '/auth/profile', {
      answer: 'chess',
      currentPassword: 'not it at all',
    }),
  }
  const secretsOf = async (one: Person) => {
    const { password_hash, answer_hash, is_admin } = await rowOf(shop, one)
    return [password_hash, answer_hash, is_admin].join()
  }
  for (const [what, attempt] of Object.entries(refused)) {
    const before = await Promise.all([admin, other, customer].map(secretsOf))
    const { status } = await send(attempt)
    const after = await Promise.all([admin, other, customer].map(secretsOf))
    if (status < 400 || status >= 500 || before.join() !== after.join()) yield `${what}: ${status}`
  }
}

/** Calls that could tell who has an account, as they are made for an e-mail. */
const ASKING: Record<string, (email: string) => Attempt> = {
  login: (email) => guest('/auth/login', { email, password: 'wrong-horse' }),
  forgotPassword: (email) =>
    guest('/auth/forgot-password', { email, answer: 'wrong', newPassword: NEW }),
}

const SAMPLES = 11
const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0

/** What a request costs all threads of this process, in ms: other processes do not count. */
async function costOf(work: () => Promise<unknown>) {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** So much of the longer time may differ; hashing is nearly all of it. */
const TOLERANCE = 0.4

const enumerates: Attack = async function* ({ shop, send }) {
  const [admin, customer] = [await addMember(shop, { admin: true }), await addMember(shop)]
  const emails = { customer: customer.email, admin: admin.email, nobody: 'nobody@shop.example' }
  for (const [name, attempt] of Object.entries(ASKING)) {
    const costs: Record<string, number[]> = { customer: [], admin: [], nobody: [] }
    const answers = new Set<string>()
    for (let n = 0; n < SAMPLES; n += 1) {
      for (const [who, email] of Object.entries(emails)) {
        costs[who]?.push(
          await costOf(async () => {
            const { status, text } = await send(attempt(email))
            const { requestId: _, ...body } = JSON.parse(text)
            answers.add(`${status} ${JSON.stringify(body)}`)
          }),
        )
      }
    }
    if (answers.size !== 1) yield `${name} answers otherwise: ${[...answers].join(' or ')}`
    const medians = Object.values(costs).map(median)
    const [least, most] = [Math.min(...medians), Math.max(...medians)]
    if (most - least > TOLERANCE * most)
      yield `${name} costs ${Object.entries(costs).map(([who, all]) => `${who} ${median(all).toFixed(1)} ms`)}`
  }
}

describe('an account', () => {
  defend('class 5: loses its sessions when they have to end', {
    world,
    attack: outlives,
    holes: {
      'a reset ends no session': plant(/survives a reset/, (send, { shop }) => {
        const tokens = new Map<string, string>()
        return async (attempt) => {
          const response = await send(attempt)
          const token = String(attempt.headers?.authorization)
          if (response.status !== 401 || !attempt.path.endsWith('/user-auth')) return response
          const somebody = tokens.get(token) ?? (await addMember(shop)).token
          tokens.set(token, somebody)
          return send(by({ authorization: somebody }, attempt))
        }
      }),
      'a demoted admin stays one for a while': plant(/survives a demotion/, (send, { shop }) => {
        const admin = addMember(shop, { admin: true })
        return async (attempt) => {
          const response = await send(attempt)
          return response.status === 403
            ? send(by({ authorization: (await admin).token }, attempt))
            : response
        }
      }),
    },
  })
  defend('class 24: stays at its rank', {
    world,
    attack: rises,
    holes: {
      'a guest may reset an admin': plant(
        /by the right answer: 200/,
        (send, { shop }) =>
          async (attempt) => {
            if (!attempt.path.includes('forgot')) return send(attempt)
            const { email } = await addMember(shop)
            return send({ ...attempt, ...asJson({ email, answer: ANSWER, newPassword: NEW }) })
          },
      ),
    },
  })
  defend('class 15: is there or not, nobody can tell', {
    world,
    attack: enumerates,
    holes: {
      'an unknown e-mail is said to be unknown': plant(
        /login answers otherwise/,
        (send) => async (attempt) => {
          const response = await send(attempt)
          const isNobody = String(attempt.body).includes('nobody@')
          return isNobody
            ? { ...response, text: response.text.replace('"message":"', '"message":"No account. ') }
            : response
        },
      ),
      'nothing is hashed for an unknown e-mail': plant(/login costs/, (send) => {
        let refused: ReturnType<Send> | undefined
        return (attempt) => {
          refused ??= send(attempt)
          return String(attempt.body).includes('nobody@') ? refused : send(attempt)
        }
      }),
    },
  })
})
