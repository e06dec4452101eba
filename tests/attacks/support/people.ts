/** Who calls: everybody who has no right to, in all the ways of pretending, and everybody who has. */
import { sql } from 'kysely'
import { hashOf } from '#app/accounts/server/sessions.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { addOrder } from '#tests/support/orders.ts'
import { cartOf, purchases } from '#tests/support/payments.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import type { TestShop } from '#tests/support/shop.ts'
import type { Headers } from './http.ts'

export const PASSWORD = 'correct-horse'
export const ANSWER = 'cricket'

/** Somebody with a password and a security answer; the hashes are made once for each shop. */
export function addMember(shop: TestShop, facts: { admin?: boolean; name?: string } = {}) {
  return addPerson(shop.db, facts).then(async (person) => {
    const { password_hash, answer_hash } = await hashesOf(shop)
    const { db } = shop
    const change = db.updateTable('users').set({ password_hash, answer_hash })
    await change.where('id', '=', person.id).execute()
    return person
  })
}

type Hashes = { password_hash: string; answer_hash: string }
const hashes = new WeakMap<TestShop, Promise<Hashes>>()

async function makeHashes(shop: TestShop): Promise<Hashes> {
  const email = `${crypto.randomUUID()}@example.com`
  const facts = { name: 'First', phone: '555 0100', address: '1 Market Lane', email }
  const body = { ...facts, password: PASSWORD, answer: ANSWER }
  const { status } = await shop.post('/auth/register', { body })
  if (status !== 201) throw new Error(`Registering answered ${status}`)
  const users = shop.db.selectFrom('users').where('email', '=', email)
  return users.select(['password_hash', 'answer_hash']).executeTakeFirstOrThrow()
}

function hashesOf(shop: TestShop): Promise<Hashes> {
  const known = hashes.get(shop) ?? makeHashes(shop)
  hashes.set(shop, known)
  return known
}

/** A customer with an order, a payment under way and a refund; and money that is nobody's. */
export async function addOwner(shop: TestShop) {
  const { db } = shop
  const person = await addMember(shop, { name: `Owner ${crypto.randomUUID()}` })
  const contact = { phone: `555 ${crypto.randomUUID()}`, address: `Lane ${crypto.randomUUID()}` }
  await db.updateTable('users').set(contact).where('id', '=', person.id).execute()
  const category = await addCategory(db, crypto.randomUUID())
  const product = await addProduct(db, { category, price: 12.5, quantity: 1000 })
  // one that is not sent keeps an account open
  const order = await addOrder(db, person, { status: 'deliverd' })
  const cart = cartOf(product)
  const { body } = await purchases(shop).start(person, { amount: 1250, cart })
  const money = { id: `pay_${crypto.randomUUID()}`, provider_order_id: 'order_of_nobody' }
  await db
    .insertInto('unknown_money')
    .values({
      ...money,
      provider: 'sandbox',
      amount_minor: 1,
      currency: 'INR',
      paid_at: new Date(),
    })
    .execute()
  return { person, contact, order, cart, category, product, payment: body.id, money: money.id }
}
export type Owner = Awaited<ReturnType<typeof addOwner>>

/** What nobody but the owner, and an admin, may ever read. */
export const privateTexts = ({ person, contact, order, payment, money }: Owner): string[] => [
  ...[person.id, person.email, person.name, person.token, contact.phone, contact.address],
  ...[order.id, order.payment, payment, money],
]

/** 0: nobody. 1: signed in. 2: admin. */
export type Rank = 0 | 1 | 2
export type Caller = { who: string; rank: Rank; headers: Headers }

const signedIn = async (shop: TestShop, admin = false) => (await addMember(shop, { admin })).token

async function expiredToken({ db }: TestShop) {
  const { id, token } = await addPerson(db, { admin: true })
  const change = db.updateTable('sessions').set({ expires_at: sql`now()` })
  await change.where('user_id', '=', id).execute()
  return token
}

async function endedToken(shop: TestShop) {
  const token = await signedIn(shop, true)
  await shop.post('/auth/logout', { token })
  return token
}

async function demotedToken(shop: TestShop, admin: string) {
  const { id, token } = await addMember(shop, { admin: true })
  const body = { role: 0 }
  const { status } = await shop.put(`/auth/user-role/${id}`, { token: admin, body })
  if (status !== 200) throw new Error(`Demoting answered ${status}`)
  return token
}

/** Nobody, in every way of pretending to be an admin whose token is `admin`. */
const pretenders = (admin: string): Record<string, Headers> => ({
  guest: {},
  'empty header': { authorization: '' },
  'bare Bearer': { authorization: 'Bearer ' },
  'made-up token': { authorization: 'x'.repeat(43) },
  'oversize token': { authorization: 'x'.repeat(10_000) },
  'nested token': { authorization: `{"token":"${admin}","role":1,"__proto__":{"admin":true}}` },
  'list of tokens': { authorization: `${admin},${admin}` },
  'token in other letters': { authorization: admin.toUpperCase() },
  'beginning of a token': { authorization: admin.slice(0, -1) },
  'hash of a token, as it is stored': { authorization: hashOf(admin).toString('hex') },
  'SQL for a token': { authorization: "' or true --" },
  'another scheme': { authorization: `Basic ${btoa(`admin:${admin}`)}` },
  'token as cookie': { cookie: `token=${admin}; auth=${admin}; session=${admin}` },
  'token in other headers': { 'x-auth-token': admin, 'x-access-token': admin, 'x-user-role': '1' },
})

/** Every kind of caller. Of `Bearer` twice the first counts, which is nobody's. */
export async function callersOf(shop: TestShop): Promise<Caller[]> {
  const admin = await signedIn(shop, true)
  const nobody = {
    ...pretenders(admin),
    'expired session': { authorization: await expiredToken(shop) },
    'ended session': { authorization: await endedToken(shop) },
  }
  const users = {
    'another customer': { authorization: await signedIn(shop) },
    'demoted admin': { authorization: await demotedToken(shop, admin) },
  }
  const asRank = (rank: Rank, all: Record<string, Headers>) =>
    Object.entries(all).map(([who, headers]) => ({ who, rank, headers }))
  return [
    ...asRank(0, nobody),
    ...asRank(1, users),
    ...asRank(2, { admin: { authorization: admin } }),
  ]
}

/** A person of this rank; `null` is a guest. */
export const personOf = async (shop: TestShop, rank: Rank): Promise<Person | null> =>
  rank === 0 ? null : addMember(shop, { admin: rank === 2 })
