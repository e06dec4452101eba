import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { shopOn, testShop } from '#tests/support/shop.ts'

const shop = testShop({ CURRENCY_DISPLAY: 'EUR' })

let admin: Person
const { save } = settingsThrough(shop, () => admin)
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

describe('a shop with live keys', () => {
  const LIVE = {
    RAZORPAY_KEY_ID: 'rzp_live_1',
    RAZORPAY_KEY_SECRET: 'secret-of-razorpay',
    CURRENCY_CHARGE: 'INR',
    RATE_LIMIT: 'on',
  }
  beforeEach(() => emptyTables(shop.db, ['settings']))

  it('displays the currency that it charges from its first start on', async () => {
    for (const id of ['rzp_live_1', 'rzp_1', 'test']) {
      await emptyTables(shop.db, ['settings'])
      const live = await shopOn(shop.db, { ...LIVE, RAZORPAY_KEY_ID: id })
      expect((await live.get('/settings')).body).toMatchObject({ currencyDisplay: 'INR' })
      await live.app.close()
    }
  })

  it('refuses another currency than the one that it charges', async () => {
    const live = await shopOn(shop.db, LIVE)
    const change = await settingsThrough(live, () => admin).save({ currencyDisplay: 'USD' })
    expect(change).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^currencyDisplay: Payments are charged in INR/) },
    })
    await live.app.close()
  })

  it('starts by the currency of its settings, whatever the environment says', async () => {
    await save({ currencyDisplay: 'GBP' })
    await expect(shopOn(shop.db, LIVE)).rejects.toThrow(
      'The settings display GBP: set CURRENCY_CHARGE=GBP',
    )
    await save({ currencyDisplay: 'INR' })
    const started = await shopOn(shop.db, { ...LIVE, CURRENCY_DISPLAY: 'USD' })
    await started.app.close()
  })
})

describe('a shop with two currencies', () => {
  beforeEach(() => emptyTables(shop.db, ['settings']))

  it('does not start, and says the way out', async () => {
    const two = { CURRENCY_DISPLAY: 'USD', CURRENCY_CHARGE: 'INR' }
    await expect(shopOn(shop.db, two)).rejects.toThrow(
      'Payments are charged in INR: prices must be displayed in the same currency. The settings display USD: set CURRENCY_CHARGE=USD, or start the shop without CURRENCY_CHARGE and live keys, and change the currency in the back office.',
    )
  })

  it('charges what it shows while the environment names no currency of charges', async () => {
    const started = await shopOn(shop.db, { CURRENCY_DISPLAY: 'USD' })
    expect((await started.post('/checkout/quote', { body: { cart: [] } })).body).toMatchObject({
      currency: 'USD',
    })
    await settingsThrough(started, () => admin).save({ currencyDisplay: 'GBP' })
    expect((await started.post('/checkout/quote', { body: { cart: [] } })).body).toMatchObject({
      currency: 'GBP',
    })
    await started.app.close()
  })
})
