import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ListedPayment } from '#app/payments/admin-contract.ts'
import { throwDice } from '#tests/faults/dice.ts'
import { startFakeRazorpay } from '#tests/faults/provider/fake-razorpay.ts'
import { deskOf } from '#tests/support/desk.ts'
import { addPerson, type Person } from '#tests/support/people.ts'
import { testShop } from '#tests/support/shop.ts'
import { razorpay } from '../providers/razorpay.ts'
import { readCaptured } from './read-captured.ts'

let address = ''
const bank = await startFakeRazorpay(() => address, throwDice(1))
const shop = testShop(bank.settings)
const { messenger, books } = bank

let admin: Person
beforeAll(async () => {
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

const listed = async (id: string) => {
  const path = '/payment/payments?state=unknown'
  const { body } = await shop.get<ListedPayment[]>(path, { token: admin.token })
  return body.find(({ _id }) => _id === id)
}

/** Paid for an order that this database knows nothing of. */
function paidElsewhere(receipt: string) {
  const { id } = books.open({ amount: 1250, currency: 'INR', receipt })
  return bank.pay(id).razorpay_payment_id
}

it('finds what was paid between a backup and its restore, and nobody tells any more', async () => {
  messenger.goes({ lost: 1 })
  const receipt = randomUUID()
  const id = paidElsewhere(receipt)
  const { log, ...rest } = desk()
  for (const _time of [1, 2]) await readCaptured(shop.db, { log, ...rest })
  expect(await listed(id)).toMatchObject({ state: 'unknown', amount: 12.5, receipt })
  expect(log.error).toHaveBeenCalledOnce()
})

it('reads every page, and nothing when the provider does not answer', async () => {
  messenger.goes({ lost: 1 })
  const oldest = paidElsewhere(randomUUID())
  for (let more = 0; more < 100; more += 1) paidElsewhere('another-shop')
  Object.assign(bank.mood, { is: 'failing', share: 1 })
  await readCaptured(shop.db, desk())
  Object.assign(bank.mood, { is: 'well' })
  expect(await listed(oldest)).toBeUndefined()
  await readCaptured(shop.db, desk())
  expect(await listed(oldest)).toBeDefined()
})

it('leaves alone what another shop on the same account has sold, whoever tells', async () => {
  const told = paidElsewhere('invoice-7')
  await messenger.whenDone()
  expect(await listed(told)).toBeUndefined()
  const { log, ...rest } = desk()
  await readCaptured(shop.db, { log, ...rest })
  expect(await listed(told)).toBeUndefined()
  expect(log.error).not.toHaveBeenCalled()
  expect(log.debug).toHaveBeenCalled()
})
