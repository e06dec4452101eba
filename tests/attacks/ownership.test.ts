/** What belongs to somebody is theirs, whatever ids and filters a request names. */
import { describe } from 'vitest'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { declared } from '#tests/support/declared.ts'
import { type Attack, defend } from './support/attack.ts'
import { type Attempt, type Send, withText } from './support/http.ts'
import { addMember, addOwner, type Owner, privateTexts } from './support/people.ts'
import { by, type Known, requestFor } from './support/requests.ts'
import { rowsOf } from './support/state.ts'
import { openWorld, type World } from './support/world.ts'

const world = openWorld()

const owned = declared.filter(([, { owner }]) => owner !== undefined)
const isRead = ({ method }: Endpoint) => method === 'GET'

/** Names the owner wherever a careless server might look. */
const naming = ({ person, order, payment }: Owner): Known => ({
  ...{ _id: person.id, id: person.id, user: person.id, userId: person.id, user_id: person.id },
  ...{ email: person.email, buyer: person.id, owner: person.id, token: person.token },
  ...{ orderId: order.id, order_id: payment, payment_id: order.payment, role: 1 },
})

/** The call as its owner would make it, which also says everywhere whose it is. */
function aimedAt(endpoint: Endpoint, owner: Owner): Attempt {
  const attempt = requestFor(endpoint, owner, endpoint.body ? naming(owner) : {})
  const query = new URLSearchParams(Object.entries(naming(owner)).map(([k, v]) => [k, String(v)]))
  const { id, token } = owner.person
  const path = `${attempt.path}?${query}`
  return by({ 'x-user-id': id, cookie: `auth=${token}` }, { ...attempt, path })
}

/** Everything the shop holds of somebody. */
async function possessionsOf({ db }: World['shop'], { person, order, payment }: Owner) {
  const theirs = [person.id, order.id, order.payment_id, payment]
  const all = Object.entries(await rowsOf(db)).filter(([table]) => table !== 'known_networks')
  return all.flatMap(([, rows]) => rows.filter((row) => theirs.some((id) => row.includes(id))))
}

const strangersAct: Attack = async function* ({ shop, send }) {
  for (const [name, endpoint] of owned) {
    const owner = await addOwner(shop)
    const before = (await possessionsOf(shop, owner)).join()
    for (const admin of [false, true]) {
      const { token } = await addMember(shop, { admin })
      const { text } = await send(by({ authorization: token }, aimedAt(endpoint, owner)))
      const shown = privateTexts(owner).filter((secret) => text.includes(secret))
      yield* shown.map((secret) => `${name} shows ${secret} to somebody else`)
    }
    if ((await possessionsOf(shop, owner)).join() !== before)
      yield `${name} changes what is another's`
  }
}

/** The owner's own request does what the stranger's must not: else it was no attack. */
const ownersAct: Attack = async function* ({ shop, send }) {
  for (const [name, endpoint] of owned) {
    const owner = await addOwner(shop)
    const before = (await possessionsOf(shop, owner)).join()
    const attempt = requestFor(endpoint, owner)
    const { status, text } = await send(by({ authorization: owner.person.token }, attempt))
    if (status >= 300) yield `${name} answers ${status} to its owner: ${text}`
    const isChanged = (await possessionsOf(shop, owner)).join() !== before
    if (isChanged === isRead(endpoint)) yield `${name} ${isChanged ? 'changes' : 'leaves'} all`
  }
}

const lists = owned.filter(([, { query }]) => query !== undefined)

/** Filters that nobody declared, sent twice, empty, nested, or that select everything. */
const widenings = (owner: Owner): string[] => [
  ...Object.entries(naming(owner)).map(([name, value]) => `${name}=${value}`),
  ...['', 'page=', 'page=1&page=1', 'page=1&page=2', 'page[]=1', 'page[gte]=0', 'q=', 'q=%25'],
  ...['status=', 'all=1', 'filter=', 'filter[user_id][ne]=0', 'where=true', 'limit=1000', 'or=1'],
  ...['user_id[]=', 'user_id=*', 'user_id=null', 'role=1', 'admin=true', 'include=buyer'],
]

const widens: Attack = async function* ({ shop, send }) {
  const [owner, stranger] = [await addOwner(shop), await addOwner(shop)]
  for (const [name, endpoint] of lists) {
    const { method, path } = requestFor(endpoint, owner)
    for (const filter of widenings(owner)) {
      const headers = { authorization: stranger.person.token }
      const { status, text } = await send({ method, path: `${path}?${filter}`, headers })
      const shown = privateTexts(owner).filter((secret) => text.includes(secret))
      if (shown.length > 0 || status >= 500)
        yield `${name}?${filter} answers ${status} with another's`
    }
  }
}

/** The lists of a category hold its products and no others, whatever is sent along. */
const leavesCategory: Attack = async function* ({ shop, send }) {
  const [one, other] = [await addOwner(shop), await addOwner(shop)]
  for (const [name, endpoint] of declared) {
    const isOfCategory = /product-category|product-filters/.test(endpoint.path)
    for (const filter of isOfCategory ? widenings(other) : []) {
      const { path, ...attempt } = requestFor(endpoint, one, { radio: [] })
      const { status, text } = await send({ ...attempt, path: `${path}?${filter}` })
      if (status === 200 && !text.includes(one.product.id)) yield `${name}?${filter} is empty`
      if (text.includes(other.product.id)) yield `${name}?${filter} shows another category's`
    }
  }
}

const holding = (finding: RegExp, plant: (send: Send, world: World) => Send) => ({ finding, plant })

/** A shop that believes what a request says of its sender. */
const believing = (finding: RegExp, part: string, where: (one: Attempt) => string) =>
  holding(finding, (send) => (attempt) => {
    const [, token] = /token=([\w-]{43})/.exec(attempt.path) ?? []
    const isFooled = token !== undefined && where(attempt).includes(part)
    return send(isFooled ? by({ authorization: token }, attempt) : attempt)
  })

describe('what belongs to somebody', () => {
  defend("class 6, 8: is neither shown nor changed by another's request", {
    world,
    attack: strangersAct,
    holes: {
      "a payment's owner is not checked": believing(
        /cancelPayment changes/,
        '/cancel',
        ({ path }) => path,
      ),
      "another's profile may be named": believing(/updateProfile/, '/profile', ({ path }) => path),
      "another's orders may be named": believing(
        /getOrders shows/,
        '/auth/orders',
        ({ path }) => path,
      ),
    },
  })
  defend('class 6: is shown and changed by the same request of its owner', {
    world,
    attack: ownersAct,
    holes: {
      'a call does nothing': holding(
        /logout (answers|leaves)/,
        (send) => (attempt) =>
          send(
            attempt.path.endsWith('/logout')
              ? { ...attempt, method: 'GET', path: '/api/v1/auth/user-auth', body: undefined }
              : attempt,
          ),
      ),
    },
  })
  defend('class 9: is not reached by filters', {
    world,
    attack: widens,
    holes: {
      'an unknown filter counts': believing(
        /getOrders\?token=/,
        '/auth/orders',
        ({ path }) => path,
      ),
      'a filter sent twice widens': holding(
        /page=1&page=2/,
        (send, { shop }) =>
          async (attempt) => {
            const response = await send(attempt)
            if (!attempt.path.includes('page=1&page=2')) return response
            const { rows } = { rows: await shop.db.selectFrom('orders').selectAll().execute() }
            return withText(response, JSON.stringify(rows))
          },
      ),
    },
  })
  defend("class 9: in a category's list stays there, whatever filters are sent", {
    world,
    attack: leavesCategory,
    holes: {
      'an empty filter means all': holding(
        /shows another category's/,
        (send, { shop }) =>
          async (attempt) => {
            const response = await send(attempt)
            if (!attempt.path.endsWith('page=')) return response
            const all = await shop.db.selectFrom('products').selectAll().execute()
            return withText(response, JSON.stringify(all))
          },
      ),
    },
  })
})
