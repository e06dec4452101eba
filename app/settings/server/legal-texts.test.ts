/** The legal texts: their pages, the agreement of the buyer, and the confirmation of the order. */

import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Quote } from '#app/checkout/contract.ts'
import type { PublicSettings } from '#app/shared/contract/public-settings.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { openMailShop } from '#tests/support/mail-shop.ts'
import { purchases, signedPayment } from '#tests/support/payments.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { sendEmails } from '#tests/support/smtp.ts'

const { smtp, shop } = await openMailShop()
const { verify } = purchases(shop)
let admin: Person
let buyer: Person
let cart: { _id: string }[]
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  buyer = await addPerson(shop.db)
  const category = await addCategory(shop.db, 'Kitchen')
  cart = [{ _id: (await addProduct(shop.db, { category, price: 10 })).id }]
})
const { save } = settingsThrough(shop, () => admin)

const TEXTS = { imprint: 'We are *Souk*.', terms: 'Our terms.', returns: 'Fourteen days.' }
beforeEach(async () => {
  smtp.received.length = 0
  const reply = await save({ country: 'DE', ...TEXTS, delivery: '' })
  expect(reply.status).toBe(200)
})

const quoted = async () =>
  (await shop.post<Quote>('/checkout/quote', { body: { cart } })).body.agreements

const start = (more: object = {}) =>
  shop.post<{ id: string; message: string }>('/product/razorpay/order', {
    token: buyer.token,
    body: { amount: 1000, cart, ...more },
  })

const agreedOf = (id: string) =>
  shop.db
    .selectFrom('payments')
    .where('provider_order_id', '=', id)
    .select(['agreed_texts', 'agreed_at'])
    .executeTakeFirstOrThrow()

describe('the pages', () => {
  it('are those that the shop has, in its settings and at their addresses', async () => {
    const { body } = await shop.get<PublicSettings>('/settings')
    expect(body.legalPages).toEqual(['imprint', 'terms', 'returns'])
    expect(JSON.stringify(body)).not.toContain('Our terms.')
    expect(await shop.get('/settings/texts/terms')).toMatchObject({
      status: 200,
      body: { nodes: [{ tag: 'p', children: ['Our terms.'] }] },
    })
    expect((await shop.get('/settings/texts/delivery')).status).toBe(404)
  })

  it.each([
    ['country', 'XX'],
    ['terms', `${'> '.repeat(20)}deep`],
  ])('refuses a wrong %s', async (field, value) => {
    expect(await save({ [field]: value })).toMatchObject({ status: 400, body: { field } })
  })
})

describe('the agreement of the buyer', () => {
  it('is asked for where the law of the country does, to the texts that the shop has', async () => {
    const asked = await quoted()
    expect(asked?.map(({ page }) => page)).toEqual(['terms', 'returns'])
    await save({ returns: '' })
    expect((await quoted())?.map(({ page }) => page)).toEqual(['terms'])
    await save({ country: 'IN' })
    expect(await quoted()).toBeUndefined()
  })

  it('is stored with the payment, with the versions and the time', async () => {
    const before = Date.now()
    const agreements = await quoted()
    const reply = await start({ agreements })
    expect(reply.status).toBe(200)
    const { agreed_texts, agreed_at } = await agreedOf(reply.body.id)
    expect(agreed_texts).toEqual(
      Object.fromEntries((agreements ?? []).map(({ page, version }) => [page, version])),
    )
    expect(Number(agreed_at)).toBeGreaterThanOrEqual(before)
    expect(Number(agreed_at)).toBeLessThanOrEqual(Date.now())
    const { body } = await shop.get<object>('/auth/my-data', { token: buyer.token })
    expect(JSON.stringify(body)).toContain('agreed_texts')
  })

  it('is not needed by a client of the specification', async () => {
    const reply = await start()
    expect(reply.status).toBe(200)
    expect(await agreedOf(reply.body.id)).toEqual({ agreed_texts: null, agreed_at: null })
  })

  it('is refused for a text that was changed meanwhile, which is a new version', async () => {
    const before = await quoted()
    await save({ terms: 'Other terms.' })
    expect(await start({ agreements: before })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('were changed meanwhile') },
    })
    const after = await quoted()
    const [old] = before ?? []
    expect(after?.[0]).toEqual({ page: 'terms', version: (old?.version ?? 0) + 1 })
    expect((await start({ agreements: after })).status).toBe(200)
  })
})

describe('the confirmation of an order', () => {
  it('has the texts as they were when the buyer ordered', async () => {
    const { body } = await start({ agreements: await quoted() })
    expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
    await save({ terms: 'Later terms.', delivery: 'Later.' })
    const mail = await sentMail()
    expect(mail?.raw).toMatch(/filename=Terms\.txt/)
    expect(mail?.raw).toMatch(/filename=Imprint\.txt/)
    expect(mail?.raw).not.toMatch(/filename=Delivery\.txt/)
    expect(textsIn(mail?.raw)).toContain('Our terms.')
    expect(textsIn(mail?.raw)).not.toContain('Later terms.')
  })

  it('has the texts to which the buyer agreed, although they were changed before the payment', async () => {
    const { body } = await start({ agreements: await quoted() })
    await save({ terms: 'Later terms.', imprint: 'We are *Bazaar*.' })
    expect((await verify(buyer, signedPayment(body.id))).status).toBe(200)
    const texts = textsIn((await sentMail())?.raw)
    expect(texts).toContain('Our terms.')
    expect(texts).not.toContain('Later terms.')
    expect(texts).toContain('Bazaar')
  })
})

async function sentMail() {
  await sendEmails(shop)
  return smtp.received.find(({ to }) => to === buyer.email)
}

/** The message with the texts of its files. */
function textsIn(raw = '') {
  const files = raw.matchAll(/filename=\w+\.txt[\s\S]*?\r\n\r\n([\s\S]*?)\r\n--/g)
  return (
    [...files].map(([, encoded = '']) => Buffer.from(encoded, 'base64').toString()).join() + raw
  )
}
