import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Order } from '#app/orders/contract.ts'
import type { ListedPayment } from '#app/payments/admin-contract.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { throwDice } from '#tests/faults/dice.ts'
import { startFakeRazorpay } from '#tests/faults/provider/fake-razorpay.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { deskOf } from '#tests/support/desk.ts'
import { cartOf, purchases } from '#tests/support/payments.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import { razorpay } from '../providers/razorpay.ts'
import { readRefunds } from './service.ts'

let address = ''
const bank = await startFakeRazorpay(() => address, throwDice(1))
const shop = testShop(bank.settings)
const { start, verify, ordersOf } = purchases(shop)
const { messenger } = bank

let category: { id: string }
let admin: Person

beforeAll(async () => {
  category = await addCategory(shop.db, 'Kitchen')
  admin = await addPerson(shop.db, { admin: true })
  address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(() => messenger.goes({}))
afterAll(() => bank.close())

function desk() {
  const { log, ...rules } = deskOf(shop)
  const { RAZORPAY_KEY_ID: keyId, RAZORPAY_KEY_SECRET: keySecret } = bank.settings
  const apiUrl = bank.settings.RAZORPAY_API_URL
  return { ...rules, log, provider: razorpay({ keyId, keySecret, apiUrl, log }) }
}

async function bought() {
  const buyer = await addPerson(shop.db)
  const product = await addProduct(shop.db, { category })
  const { body } = await start(buyer, { amount: 1250, cart: cartOf(product) })
  const proof = bank.pay(body.id)
  expect((await verify(buyer, proof)).status).toBe(200)
  await messenger.whenDone()
  return { buyer, id: proof.razorpay_payment_id }
}

const listed = async (id: string) => {
  const path = '/payment/payments?state=given_back'
  const { body } = await shop.get<ListedPayment[]>(path, { token: admin.token })
  return body.find(({ _id }) => _id === id)
}

const inAdminsList = async (id: string) =>
  (await shop.get<Order[]>(`/auth/all-orders?q=${id}`, { token: admin.token })).body[0]

describe('money of an order that the merchant gave back at the provider', () => {
  it('is shown in part and whole, with the order and in the list', async () => {
    const { buyer, id } = await bought()
    expect(await listed(id)).toBeUndefined()
    expect((await ordersOf(buyer))[0]).not.toHaveProperty('givenBack')
    for (const [amount, givenBack] of [
      [500, 5],
      [250, 7.5],
      [500, 12.5],
    ]) {
      bank.giveBack(id, amount ?? 0)
      await messenger.whenDone()
      expect(await listed(id)).toMatchObject({ state: 'given_back', amount: 12.5, givenBack })
      expect(await ordersOf(buyer)).toMatchObject([{ total: 12.5, givenBack }])
      expect(await inAdminsList(id)).toMatchObject({ givenBack })
    }
  })

  it('counts once, in whatever order and however often it is reported', async () => {
    const { id } = await bought()
    messenger.goes({ doubled: 1, reversed: 1 })
    bank.giveBack(id, 500)
    bank.giveBack(id, 250)
    await messenger.whenDone()
    expect(await listed(id)).toMatchObject({ givenBack: 7.5 })
  })

  it('is read at the provider when the report was lost', async () => {
    const [{ id }, other] = [await bought(), await bought()]
    messenger.goes({ lost: 1 })
    bank.giveBack(id, 500)
    bank.giveBack(id, 250)
    expect(await listed(id)).toBeUndefined()
    await readRefunds(shop.db, desk())
    expect(await listed(id)).toMatchObject({ givenBack: 7.5 })
    expect(await listed(other.id)).toBeUndefined()
  })

  it('is read although the provider refuses to tell of another payment', async () => {
    const paid = [await bought(), await bought(), await bought()]
    messenger.goes({ lost: 1 })
    for (const { id } of paid) bank.giveBack(id, 500)
    const refused = new Set([paid[0]?.id, paid[2]?.id])
    const { provider, ...rest } = desk()
    const givenBack = async (id: string) => {
      if (refused.has(id)) throw notFound('The id provided does not exist')
      return provider.givenBack(id)
    }
    await readRefunds(shop.db, { ...rest, provider: { ...provider, givenBack } })
    expect(await listed(paid[1]?.id ?? '')).toMatchObject({ givenBack: 5 })
  })

  it('is read later from a provider that does not answer', async () => {
    const { id } = await bought()
    messenger.goes({ lost: 1 })
    bank.giveBack(id, 500)
    Object.assign(bank.mood, { is: 'failing', share: 1 })
    await readRefunds(shop.db, desk())
    Object.assign(bank.mood, { is: 'well' })
    await readRefunds(shop.db, desk())
    expect(await listed(id)).toMatchObject({ givenBack: 5 })
  })
})
