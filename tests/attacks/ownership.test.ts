/**
 * Ownership: users access only their own objects, whatever ids, fields and filters a request has.
 */
import { sql } from 'kysely'
import { describe } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { declared } from '#tests/support/declared.ts'
import { type Attack, defend, hearing } from './support/attack.ts'
import { type Attempt, bodyOf, by } from './support/http.ts'
import { addOwner, type Owner, privateTexts, senderOf } from './support/owner.ts'
import { isRead, type Known, propertiesOf, requestFor } from './support/requests.ts'
import { rowsOf } from './support/state.ts'
import { openWorld, type World } from './support/world.ts'

const world = openWorld()

type Call = (typeof declared)[number][1]

/** Field names of an owner. */
function naming({ person, order, payment }: Owner): Record<string, string> {
  const names = '_id id user userId user_id buyer owner'.split(' ')
  const ids = Object.fromEntries(names.map((name) => [name, person.id]))
  const things = { orderId: order.id, order_id: payment, role: '1' }
  return { ...ids, ...things, email: person.email, token: person.token }
}

/** Undeclared filters: repeated, empty, nested, or matching everything. */
const FILTERS = [
  'page=1&page=2',
  'page[gte]=0',
  'page=',
  'q=&status=&all=1',
  'q=%25&filter=&where=true',
  'filter[user_id][ne]=0&or=1',
  'user_id[]=&limit=1000',
  'user_id=*&admin=true',
  'user_id=null&include=buyer',
]

/** The owner's call with the owner named in every way; lists in several ways. */
function aimedAt(endpoint: Call, owner: Owner): Attempt[] {
  const attempt = requestFor(endpoint, owner, endpoint.body ? naming(owner) : {})
  const { id, token } = owner.person
  const filters = isRead(endpoint) ? FILTERS : []
  return [`${new URLSearchParams(naming(owner))}`, ...filters].map((query) =>
    by(
      { 'x-user-id': id, cookie: `auth=${token}` },
      { ...attempt, path: `${attempt.path}?${query}` },
    ),
  )
}

/** All rows of the database with these ids. */
const rowsAbout = async ({ db }: World['shop'], ids: string[]) =>
  (await rowsOf(db)).filter((row) => ids.some((id) => row.includes(id))).join()

const reaches: Attack = async function* ({ shop, send }) {
  for (const [name, endpoint] of declared.filter(([, one]) => one.owner !== undefined)) {
    const owner = await addOwner(shop)
    const ids = [owner.person.id, owner.order.id, owner.payment]
    const before = await rowsAbout(shop, ids)
    for (const admin of [false, true]) {
      for (const attempt of aimedAt(endpoint, owner)) {
        // a log-out ends a session
        const { token } = await addPerson(shop.db, { admin })
        const { status, text } = await send(by({ authorization: token }, attempt))
        const query = attempt.path.split('?')[1]
        if (status >= 500) yield `${name}?${query} answers ${status}`
        const isShown = privateTexts(owner).some((secret) => text.includes(secret))
        if (isShown) yield `${name}?${query} shows what is another's`
      }
    }
    if ((await rowsAbout(shop, ids)) !== before) yield `${name} changes what is another's`
  }
}

const PLANTED = 'planted-by-attack'
const LONG_AGO = '2001-01-01'

/** Mass assignment: every column of the database, and ids of another user. */
async function extraOf({ db }: World['shop'], { person, product, category }: Owner) {
  const columns = await sql<{ name: string }>`
    select distinct column_name as name from information_schema.columns
    where table_schema = 'public'`.execute(db)
  const extra: Known = { role: 1, isAdmin: true, admin: true, _id: product.id, buyer: person.id }
  for (const { name } of columns.rows) extra[name] = name.endsWith('_at') ? LONG_AGO : PLANTED
  const known = { id: product.id, user_id: person.id, category_id: category.id, is_admin: true }
  return { ...extra, ...known }
}

const adminsOf = async ({ db }: World['shop']) =>
  JSON.stringify(await db.selectFrom('users').where('is_admin', '=', true).select('id').execute())

const assigns: Attack = async function* ({ shop, send }) {
  const other = await addOwner(shop)
  const ids = [other.person.id, other.product.id, other.category.id]
  const extra = Object.entries(await extraOf(shop, other))
  for (const [name, endpoint] of declared.filter(([, { body }]) => body)) {
    const own = propertiesOf(endpoint.body).map(([field]) => field)
    const foreign = Object.fromEntries(extra.filter(([field]) => !own.includes(field)))
    const its = await addOwner(shop)
    const admin = await addPerson(shop.db, { admin: true })
    const sender = senderOf(endpoint, { owner: its, admin })
    const about = await rowsAbout(shop, ids)
    const admins = await adminsOf(shop)
    const attempt = { ...requestFor(endpoint, its, foreign), path: requestFor(endpoint, its).path }
    const { status } = await send(by({ authorization: sender.token }, attempt))
    if (status >= 500) yield `${name} answers ${status}`
    // the payment that one of the calls needs
    if ((await adminsOf(shop)) !== admins && !own.includes('role')) yield `${name} makes an admin`
    if ((await rowsAbout(shop, ids)) !== about) yield `${name} changes what is another's`
    if (await rowsAbout(shop, [PLANTED, LONG_AGO])) yield `${name} stores a foreign field`
  }
}

/** A shop that trusts the user named in a request. */
const believing = (part: string) =>
  hearing((attempt) => {
    const [, token] = /token=([\w-]{43})/.exec(attempt.path) ?? []
    return token && attempt.path.includes(part) ? by({ authorization: token }, attempt) : attempt
  })

describe('an object of another user', () => {
  defend("class 6, 8, 9: is not shown or changed by another's request", world, reaches, {
    "a payment's owner is not checked": [/cancelPayment changes/, believing('/cancel')],
    'a list is chosen by a filter': [/getOrders.*token=.* shows/, believing('/auth/orders')],
  })
  defend('class 6, 24: is no field that a call does not declare', world, assigns, {
    'a body is written as it comes': [
      /updateProfile stores a foreign field/,
      hearing(async (attempt, { shop: { db } }) => {
        const isWritten = attempt.path.endsWith('/profile') && bodyOf(attempt).includes(PLANTED)
        const change = db.updateTable('users').set({ answer_hash: PLANTED })
        if (isWritten) await change.where('answer_hash', '=', '-').execute()
        return attempt
      }),
    ],
  })
})
