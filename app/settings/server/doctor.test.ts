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

const examined = async (isFixed = true) =>
  (await examineSettings(shop.db, { currency: 'INR', isFixed, isDemo: false })).map(
    ({ state, found }) => [state, found],
  )

it('the doctor tells that a shop with two currencies does not start, and that customers read placeholders', async () => {
  expect(await examined()).toContainEqual(['ok', 'customers read no placeholders'])
  expect((await save({ ...DEMO_SETTINGS, currencyDisplay: 'USD' })).status).toBe(200)
  expect(await examined(false)).toContainEqual(['ok', 'prices and payments are in USD'])
  expect(await examined()).toEqual([
    ['problem', 'prices are shown in USD, and CURRENCY_CHARGE is INR, so the shop does not start'],
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
