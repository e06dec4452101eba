/** What happens in a shop, and the events that it leaves, with the e-mails that read them. */
import { beforeEach, describe, expect, it } from 'vitest'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import type { ListedProduct } from '#app/products/contract.ts'
import { applyDueSchedules } from '#app/products/server/publication/publication.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, changeListed } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { paymentShop } from '#tests/support/payment-shop.ts'
import { cartOf, signedPayment } from '#tests/support/payments.ts'
import { recordEvent } from './events-store.ts'

const { shop, start, verify, cancel, expireReservations, cup, setStatus, refund, asAdmin } =
  paymentShop()

/** The events since the test began, the oldest first; without those of accounts. */
const events = () =>
  shop.db
    .selectFrom('events')
    .where('kind', 'not in', ['account_created', 'admin_signed_in'])
    .orderBy('created_at')
    .orderBy('id')
    .select(['kind', 'subject_id', 'notify', 'facts'])
    .execute()

const kinds = async () => (await events()).map(({ kind }) => kind)

const emails = async () =>
  (
    await shop.db
      .selectFrom('emails')
      .innerJoin('events', 'events.id', 'event_id')
      .orderBy('emails.kind')
      .select(['events.kind as event', 'emails.kind as email'])
      .execute()
  ).map(({ event, email }) => `${event}: ${email}`)

/** A cup, and its purchase. */
async function bought(facts = {}) {
  const product = await cup(facts)
  await shop.db.deleteFrom('events').execute()
  const buyer = await addPerson(shop.db)
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  const proof = signedPayment(body.id)
  const { order } = (await verify(buyer, proof)).body
  return { buyer, product, order, proof }
}

beforeEach(async () => {
  await shop.db.deleteFrom('events').execute()
})

describe('a purchase', () => {
  it('is placed and paid, and its buyer and the admin get one e-mail each', async () => {
    const { buyer, order, proof } = await bought()
    // reported again
    await verify(buyer, proof)
    const about = { subject_id: order._id, facts: { number: order.number } }
    expect(await events()).toEqual(
      expect.arrayContaining([
        { kind: 'order_placed', notify: true, ...about },
        { kind: 'order_paid', notify: false, ...about },
      ]),
    )
    expect(await kinds()).toHaveLength(2)
    expect(await emails()).toEqual(['order_placed: new_order', 'order_placed: order_confirmation'])
  })

  it('of the last piece sells its variant out, once, and a refused one leaves no event', async () => {
    const { product } = await bought({ quantity: 1 })
    const subject_id = product.listed_variant_id
    expect(await events()).toMatchObject([{ kind: 'sold_out', subject_id }, {}, {}])
    const late = await start(await addPerson(shop.db), { amount: 1250, cart: cartOf(product) })
    expect(late.status).toBe(409)
    expect(await kinds()).toHaveLength(3)
  })

  it('that is cancelled or lapses returns the last piece', async () => {
    const product = await cup({ quantity: 1 })
    await shop.db.deleteFrom('events').execute()
    const first = await addPerson(shop.db)
    const { body } = await start(first, { amount: 1250, cart: cartOf(product) })
    await cancel(first, body.id)
    await start(await addPerson(shop.db), { amount: 1250, cart: cartOf(product) })
    await expireReservations()
    expect(await kinds()).toEqual(['sold_out', 'back_in_stock', 'sold_out', 'back_in_stock'])
    expect(await emails()).toEqual([])
  })

  it('that leaves a piece has no event of its stock', async () => {
    await bought({ quantity: 2 })
    expect((await kinds()).sort()).toEqual(['order_paid', 'order_placed'])
  })
})

describe('an order', () => {
  it('is sent and changed once for each status, and its buyer is told', async () => {
    const { order } = await bought()
    await shop.db.deleteFrom('events').execute()
    await setStatus(order, 'Shipped')
    await setStatus(order, 'Shipped')
    await setStatus(order, 'deliverd')
    expect(await events()).toMatchObject([
      { kind: 'order_sent', subject_id: order._id, facts: { status: 'Shipped' } },
      { kind: 'order_status_changed', notify: true, facts: { status: 'deliverd' } },
    ])
    // the waiting one of the first status is taken back
    expect(await emails()).toEqual(['order_status_changed: status_changed'])
  })

  it('is refunded once', async () => {
    const { order } = await bought()
    await shop.db.deleteFrom('events').execute()
    await refund(order)
    expect(await events()).toMatchObject([
      {
        kind: 'refund_done',
        subject_id: order._id,
        facts: { amount_minor: 1250, reason: 'The cup was cracked.' },
      },
    ])
    expect(await emails()).toEqual(['refund_done: refund'])
  })
})

describe('a product', () => {
  const create = async (fields: object) => {
    const { id: category } = await addCategory(shop.db, crypto.randomUUID())
    const facts = { name: 'Vase', description: 'Tall.', price: 20, quantity: 5, category }
    const body = formOf({ ...facts, ...fields })
    const { path } = productAdminCalls.createProduct
    const reply = await shop.post<{ products: ListedProduct }>(path, { ...asAdmin(), body })
    return reply.body.products._id
  }
  const edit = (id: string, fields: Record<string, string>) =>
    shop.put(`/product/update-product/${id}`, { ...asAdmin(), body: formOf(fields) })

  it('is published by its creation, by an edit and by its time, once each', async () => {
    const vase = await create({})
    await edit(vase, { name: 'Jar' })
    const draft = await create({ status: 'draft' })
    await edit(draft, { status: 'published' })
    const planned = await create({
      status: 'draft',
      publishAt: new Date(Date.now() + 600_000).toISOString().slice(0, 16),
    })
    await shop.db
      .updateTable('products')
      .set({ publish_at: new Date(0) })
      .where('id', '=', planned)
      .execute()
    await applyDueSchedules(shop.db)
    expect(await events()).toMatchObject(
      [vase, draft, planned].map((subject_id) => ({ kind: 'product_published', subject_id })),
    )
  })

  it('is sold out and back in stock by an edit', async () => {
    const vase = await create({})
    await shop.db.deleteFrom('events').execute()
    for (const quantity of ['0', '0', '3', '4']) await edit(vase, { quantity })
    expect(await kinds()).toEqual(['sold_out', 'back_in_stock'])
  })
})

it('an event and its e-mails are gone with a transaction that is rolled back', async () => {
  const { id: subjectId } = await addPerson(shop.db)
  const product = await cup({ quantity: 1 })
  await shop.db.deleteFrom('events').execute()
  const failed = shop.db.transaction().execute(async (tx) => {
    await recordEvent(tx, { kind: 'password_changed', subjectId, facts: {} })
    await changeListed(tx, product, { quantity: 0 })
    expect(await tx.selectFrom('emails').selectAll().execute()).toHaveLength(1)
    expect(await tx.selectFrom('events').selectAll().execute()).toHaveLength(2)
    throw new Error('No.')
  })
  await expect(failed).rejects.toThrow('No.')
  expect(await events()).toEqual([])
  expect(await emails()).toEqual([])
})

it('a closed account leaves no event of its own, and no text of others in those of its orders', async () => {
  const { buyer, order } = await bought()
  await setStatus(order, 'deliverd')
  await refund(order)
  await recordEvent(shop.db, { kind: 'password_changed', subjectId: buyer.id, facts: {} })
  expect((await shop.delete(`/auth/user/${buyer.id}`, asAdmin())).status).toBe(200)
  const left = await events()
  expect(left.map(({ kind }) => kind).sort()).toEqual([
    'order_paid',
    'order_placed',
    'order_status_changed',
    'refund_done',
  ])
  for (const { facts } of left) expect(Object.keys(facts)).not.toContain('reason')
  expect(await emails()).toEqual(['order_placed: new_order'])
  await recordEvent(shop.db, { kind: 'password_changed', subjectId: buyer.id, facts: {} })
  expect(await emails()).toEqual(['order_placed: new_order'])
})
