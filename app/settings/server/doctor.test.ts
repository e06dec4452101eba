import { beforeAll, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'
import { DEMO_SETTINGS } from './defaults.ts'
import { examineSettings } from './doctor.ts'

const shop = testShop()
let admin: Person
const { save } = settingsThrough(shop, () => admin)

beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

const examined = async () =>
  (await examineSettings(shop.db, { CURRENCY_CHARGE: 'INR' })).map(({ state, found }) => [
    state,
    found,
  ])

it('the doctor warns while customers are charged in another currency, or read placeholders', async () => {
  expect(await examined()).toContainEqual(['ok', 'customers read no placeholders'])
  expect((await save(DEMO_SETTINGS)).status).toBe(200)
  expect(await examined()).toEqual([
    ['warning', 'prices are shown in USD, and payments are charged in INR at the same figures'],
    [
      'warning',
      'customers read placeholders: the e-mail address, the phone number, the toll-free number, and the policy',
    ],
  ])
  const texts = { email: '', phone: '', tollFree: '555 0123', policy: 'We keep your address.' }
  expect((await save({ ...texts, currencyDisplay: 'INR' })).status).toBe(200)
  expect(await examined()).toEqual([
    ['ok', 'prices and payments are in INR'],
    ['ok', 'customers read no placeholders'],
  ])
})
