/** What belongs to somebody is theirs: a stranger's call gets nothing of it and changes nothing. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import { addCategory, addProduct } from './support/catalogue.ts'
import { addressOf, declared } from './support/declared.ts'
import { addOrder } from './support/orders.ts'
import { cartOf, purchases, signedPayment } from './support/payments.ts'
import { addPerson, PASSWORD, type Person } from './support/people.ts'
import { testShop } from './support/shop.ts'

const shop = testShop()
const { start } = purchases(shop)

/** Somebody with an order, and a payment under way. */
async function addOwner() {
  const person = await addPerson(shop.db, { name: `Owner ${crypto.randomUUID()}` })
  const category = await addCategory(shop.db, crypto.randomUUID())
  const cart = cartOf(await addProduct(shop.db, { category, price: 12.5 }))
  const order = await addOrder(shop.db, person)
  const { body } = await start(person, { amount: 1250, cart })
  return { person, order, cart, payment: body.id }
}
type Owner = Awaited<ReturnType<typeof addOwner>>

/**
 * How each call on an owned thing is aimed at somebody else's: the body that would do it, could it
 * be done. A call that is declared with an owner and is not here fails the tests.
 */
const AIMED: Record<string, (theirs: Owner) => object | undefined> = {
  logout: () => undefined,
  updateProfile: () => ({
    name: 'Stolen',
    phone: '666',
    address: 'Mine',
    password: 'stolen-horse',
  }),
  getMyData: () => undefined,
  // everybody's here: it closes the stranger's own account, or none
  closeAccount: () => ({ password: PASSWORD }),
  getOrders: () => undefined,
  getRefunds: () => undefined,
  startPayment: () => ({ amount: 1250 }),
  verifyPayment: ({ payment, cart }) => ({ ...signedPayment(payment), cart }),
  cancelPayment: ({ payment }) => ({ razorpay_order_id: payment }),
}

/** Calls for users that act on nothing of anybody. */
const ON_NOTHING = ['checkUser']

const forUsers = declared.filter(([, { access }]) => access === 'user')
const owned = declared.filter(([, { owner }]) => owner !== undefined)

/** Names the owner wherever a careless server might look. */
const naming = ({ person, order, payment }: Owner) => ({
  ...{ _id: person.id, id: person.id, user: person.id, userId: person.id, user_id: person.id },
  ...{ email: person.email, buyer: person.id, owner: person.id, token: person.token },
  ...{ orderId: order.id, order_id: payment, payment_id: order.payment, role: 1 },
})

/** Everything the shop keeps of somebody. */
async function possessionsOf({ person, cart }: Owner) {
  const { rows } = await sql`
    select to_jsonb(users) as row from users where id = ${person.id}
    union all select to_jsonb(sessions) from sessions where user_id = ${person.id}
    union all select to_jsonb(payments) from payments where user_id = ${person.id}
    union all select to_jsonb(holds) from holds where user_id = ${person.id}
    union all select to_jsonb(orders) from orders where user_id = ${person.id}
    union all select to_jsonb(p) from provider_payments p
      join payments on payments.id = p.payment_id where user_id = ${person.id}
    union all select to_jsonb(products) from products where id = ${cart[0]?._id}
  `.execute(shop.db)
  return rows.map((row) => JSON.stringify(row)).sort()
}

const send = (
  { method, ...rest }: Endpoint,
  body: object | undefined,
  token: string,
  of: Owner,
) => {
  const query = new URLSearchParams(Object.entries(naming(of)).map(([k, v]) => [k, String(v)]))
  return shop.app.inject({
    method,
    url: `${API_PREFIX}${addressOf({ method, ...rest })}?${query}`,
    headers: { authorization: token, 'x-user-id': of.person.id, cookie: `auth=${of.person.token}` },
    ...(method !== 'GET' && { payload: { ...naming(of), ...body } }),
  })
}

const strangers: [who: string, admin: boolean][] = [
  ['stranger', false],
  ['stranger who is an admin', true],
]

it('covers every call for users', () => {
  const covered = [...Object.keys(AIMED), ...ON_NOTHING]
  expect(forUsers.map(([name]) => name).sort()).toEqual(covered.sort())
  expect(owned.map(([name]) => name).sort()).toEqual(Object.keys(AIMED).sort())
})

describe.each(owned)('%s', (name, endpoint) => {
  it.each(strangers)('gives a %s nothing, and changes nothing', async (_who, admin) => {
    const owner = await addOwner()
    const stranger: Person = await addPerson(shop.db, { admin })
    const before = await possessionsOf(owner)
    const body = AIMED[name]?.(owner)
    const reply = await send(endpoint, body, stranger.token, owner)
    expect(reply.statusCode).toBeLessThan(500)
    expect(await possessionsOf(owner)).toEqual(before)
    const { person, order, payment } = owner
    for (const theirs of [person.id, person.email, person.name, order.id, payment]) {
      expect(reply.body).not.toContain(theirs)
    }
  })

  it('refuses a guest, and changes nothing', async () => {
    const owner = await addOwner()
    const before = await possessionsOf(owner)
    const reply = await send(endpoint, AIMED[name]?.(owner), '', owner)
    expect(reply.statusCode).toBe(401)
    expect(await possessionsOf(owner)).toEqual(before)
  })
})

describe('the owner', () => {
  it.each(['updateProfile', 'verifyPayment', 'cancelPayment', 'logout'])(
    'is changed by the same %s',
    async (name) => {
      const endpoint = owned.find(([one]) => one === name)?.[1]
      if (!endpoint) throw new Error(`${name} is not declared`)
      const owner = await addOwner()
      const before = await possessionsOf(owner)
      const body = AIMED[name]?.(owner)
      const reply = await send(endpoint, body, owner.person.token, owner)
      expect(reply.statusCode).toBe(200)
      expect(await possessionsOf(owner)).not.toEqual(before)
    },
  )
})
