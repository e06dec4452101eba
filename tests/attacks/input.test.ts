/** What a request may carry: every call × every place for a value × hostile values. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe } from 'vitest'
import { declared } from '#tests/support/declared.ts'
import { type Attack, changing, defend, plant, replacedBy } from './support/attack.ts'
import type { Attempt, Send } from './support/http.ts'
import { addMember, addOwner, type Owner } from './support/people.ts'
import { placesOf } from './support/places.ts'
import { by, formOf, type Known, propertiesOf, requestFor } from './support/requests.ts'
import { rowsOf } from './support/state.ts'
import { openWorld, type World } from './support/world.ts'

const world = openWorld()
let owner: Owner
let canary: Server
let calledAt: string[] = []
beforeAll(async () => {
  owner = await addOwner(world().shop)
  canary = createServer((request, response) => {
    calledAt.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((done) => canary.listen(0, '127.0.0.1', done))
})
afterAll(() => canary.close())

const canaryUrl = () => `http://127.0.0.1:${(canary.address() as AddressInfo).port}/called`

/** The headers of somebody new who may make any call. */
const admin = async () => ({
  authorization: (await addMember(world().shop, { admin: true })).token,
})

const SQL = [
  "'; select pg_sleep(9); --",
  "$$ || (select row_to_json(u) from users u limit 1) || $$ ') or true or ('' = '",
  '\\"\' union select row_to_json(u)::text from users u -- %_{1=1}',
]

const SLOW_MS = 8000

async function* judged(send: Send, what: string, attempt: Attempt) {
  const began = performance.now()
  const { status, text } = await send(attempt)
  if (status >= 500) yield `${what} answers ${status}: ${text.slice(0, 100)}`
  if (/\$argon2|syntax error|SQLSTATE|relation "/i.test(text)) yield `${what} shows the database`
  if (performance.now() - began > SLOW_MS) yield `${what} sleeps`
}

const injects: Attack = async function* ({ send }) {
  for (const [name, endpoint] of declared) {
    const headers = await admin()
    for (const value of SQL) {
      for (const { what, attempt } of placesOf(endpoint, owner)) {
        yield* judged(send, `${what} of ${name}`, by(headers, attempt(value)))
      }
      const all = { cookie: value, 'user-agent': value, referer: value, 'x-request-id': value }
      const more = { 'accept-language': value, accept: value, 'if-none-match': value, from: value }
      const token = { 'x-forwarded-for': value, ...(value !== SQL[0] && headers) }
      const sent = { ...all, ...more, authorization: value, ...token }
      yield* judged(send, `headers of ${name}`, by(sent, requestFor(endpoint, owner)))
    }
  }
}

const fetches: Attack = async function* ({ send }) {
  calledAt = []
  for (const [name, endpoint] of declared) {
    const headers = { ...(await admin()), origin: canaryUrl(), referer: canaryUrl() }
    for (const { what, attempt } of placesOf(endpoint, owner)) {
      await send(by({ ...headers, host: new URL(canaryUrl()).host }, attempt(canaryUrl())))
      if (calledAt.length > 0) yield `${what} of ${name} is fetched`
      calledAt = []
    }
  }
}

/** What nobody sets by sending it, in every spelling that a store might take; and whose it is not. */
const PLANTED = 'planted-by-attack'
const MARKS = [PLANTED, '2001-01-01', '424242']
const extraOf = ({ person, product, category }: Owner): Known => ({
  ...{ _id: product.id, id: product.id, user_id: person.id, userId: person.id, buyer: person.id },
  ...{ role: 1, roles: 'admin', isAdmin: true, is_admin: true, admin: true, success: false },
  ...{ password_hash: PLANTED, answer_hash: PLANTED, email_key: PLANTED, search: PLANTED },
  ...{ slug: PLANTED, name_key: PLANTED, name_folded: PLANTED, photo_version: PLANTED },
  ...{ created_at: '2001-01-01', createdAt: '2001-01-01', settled_at: '2001-01-01' },
  ...{ price_minor: 424242, total_minor: 424242, total: 4242.42, category_id: category.id },
  ...{ buyer_name: PLANTED, provider: PLANTED, state: PLANTED, is_test: true, test: true },
})

const lines = async (shop: World['shop']) =>
  Object.entries(await rowsOf(shop.db)).flatMap(([table, rows]) =>
    rows.map((row) => ({ table, row })),
  )

/** The rows that are about these things of somebody. */
const rowsAbout = async (shop: World['shop'], { person, product, category }: Owner) =>
  (await lines(shop)).filter(({ row }) =>
    [person, product, category].some(({ id }) => row.includes(id)),
  )

async function adminsOf({ db }: World['shop']) {
  const admins = db.selectFrom('users').where('is_admin', '=', true).select('id').orderBy('id')
  return JSON.stringify(await admins.execute())
}

const assigns: Attack = async function* ({ shop, send }) {
  const other = await addOwner(shop)
  for (const [name, endpoint] of declared.filter(([, { body }]) => body)) {
    const own = propertiesOf(endpoint.body).map(([field]) => field)
    const extra = Object.entries(extraOf(other)).filter(([field]) => !own.includes(field))
    const its = await addOwner(shop)
    const token = endpoint.access === 'user' ? { authorization: its.person.token } : await admin()
    const [about, admins] = [await rowsAbout(shop, other), await adminsOf(shop)]
    const attempt = by(token, requestFor(endpoint, its))
    const { status } = await send({ ...attempt, ...bodyWith(attempt, Object.fromEntries(extra)) })
    if (status >= 500) yield `${name} answers ${status}`
    // which one call is for
    if ((await adminsOf(shop)) !== admins && !own.includes('role')) yield `${name} makes an admin`
    const changed = JSON.stringify(await rowsAbout(shop, other)) !== JSON.stringify(about)
    if (changed) yield `${name} changes what it does not name in its address`
    for (const { table, row } of await lines(shop)) {
      if (MARKS.some((mark) => row.includes(mark))) yield `${name} plants a value in ${table}`
    }
  }
}

/** The same body with more fields in it. */
function bodyWith({ body, headers }: Attempt, extra: Known) {
  const isForm = String(headers?.['content-type']).includes('multipart')
  if (!isForm) return { body: JSON.stringify({ ...extra, ...JSON.parse(String(body)) }) }
  const end = String(formOf({}).body)
  const more = String(formOf(extra).body)
  return { body: String(body).replace(end, '') + more }
}

const bodyOf = ({ body }: Attempt) => String(body ?? '')

/** A shop that answers so where `isMet` is true of the request. */
const replacing = (
  finding: RegExp,
  isMet: (attempt: Attempt) => boolean,
  status: number,
  text: string,
) => changing(finding, isMet, replacedBy(status, text))

describe('a value', () => {
  defend('class 1: reaches the database as a value only', {
    world,
    attack: injects,
    holes: {
      'a query is put together from text': replacing(
        /q of getAllUsers answers 500/,
        ({ path }) => /all-users.*q=%27/.test(path),
        500,
        '{}',
      ),
      'a cookie is put into a statement': replacing(
        /headers of getCategories shows/,
        ({ headers }) => String(headers?.cookie).includes('union'),
        200,
        '$argon2id$',
      ),
    },
  })
  defend('class 23: is never fetched as an address', {
    world,
    attack: fetches,
    holes: {
      'an address in a body is fetched': plant(
        /name of createCategory is fetched/,
        (send) => async (attempt) => {
          const [url] = /http:\/\/127[^"]*/.exec(bodyOf(attempt)) ?? []
          if (url && attempt.path.includes('create-category')) await fetch(url)
          return send(attempt)
        },
      ),
    },
  })
  defend('class 6, 24: sets no field that the call does not declare', {
    world,
    attack: assigns,
    holes: {
      'a body is written as it comes': plant(
        /updateProfile makes an admin/,
        (send, { shop }) =>
          async (attempt) => {
            const response = await send(attempt)
            const isOpen = attempt.path.includes('/profile') && bodyOf(attempt).includes('is_admin')
            if (isOpen)
              await shop.db
                .updateTable('users')
                .set({ is_admin: true })
                .where('is_admin', '=', false)
                .execute()
            return response
          },
      ),
    },
  })
})
