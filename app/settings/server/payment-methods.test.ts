/** The settings of the ways to pay without a provider. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { PaymentMethodSettings, PaymentMethods } from '#app/settings/admin-contract.ts'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { paymentMethods } from '#tests/support/payment-methods.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

let admin: Person
const { read, save } = settingsThrough(shop, () => admin)
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

const saveMethods = (methods: PaymentMethods) =>
  save<{ fields?: FieldProblem[] }>({ paymentMethods: methods, currencyDisplay: 'INR' })

/** Saves a bank transfer with these values. */
const saveTransfer = (bank_transfer: Partial<PaymentMethodSettings>) =>
  saveMethods(paymentMethods({ bank_transfer }))

describe('the payment methods of the settings', () => {
  it('are not offered at first, and stay as they are saved, without blanks around their texts', async () => {
    const { settings } = await read()
    expect(Object.values(settings.paymentMethods).map(({ isOffered }) => isOffered)).toEqual([
      false,
      false,
    ])
    const shippingRates = [crypto.randomUUID()]
    const values = { countries: ['IN'], maxTotal: 100.5, fee: 2.55, days: 90, shippingRates }
    const sent = paymentMethods({ bank_transfer: { ...values, name: ' Transfer ' } })
    const more = { ...sent, bank_transfer: { ...sent.bank_transfer, bank: 'none' } }
    expect((await saveMethods(more)).status).toBe(200)
    const name = 'Transfer'
    expect((await read()).settings.paymentMethods).toEqual(
      paymentMethods({ bank_transfer: { ...values, name } }),
    )
  })

  it.each<[Partial<PaymentMethodSettings>, field: string, message: RegExp]>([
    [{ name: ' ' }, 'name', /name that customers see/],
    [{ name: 'x'.repeat(101) }, 'name', /at most 100 characters/],
    [{ instructions: ' \n' }, 'instructions', /Enter the bank account/],
    [{ instructions: 'x'.repeat(5001) }, 'instructions', /at most 5000 characters/],
    [{ instructions: '- '.repeat(11) }, 'instructions', /nested at most 10 levels/],
    [{ countries: ['IN', 'XX'] }, 'countries', /“XX” is no country/],
    [{ countries: ['in'] }, 'countries', /“in” is no country/],
    [{ maxTotal: 0 }, 'maxTotal', /above 0 and below 10,000,000/],
    [{ maxTotal: 10_000_000 }, 'maxTotal', /above 0 and below 10,000,000/],
    [{ maxTotal: 1.005 }, 'maxTotal', /at most two decimals/],
    [{ fee: -0.01 }, 'fee', /below 1,000,000/],
    [{ fee: 1_000_000 }, 'fee', /below 1,000,000/],
    [{ fee: 0.001 }, 'fee', /at most two decimals/],
    [{ days: 0 }, 'days', /from 1 to 90/],
    [{ days: 91 }, 'days', /from 1 to 90/],
    [{ days: 1.5 }, 'days', /from 1 to 90/],
  ])('are refused with a wrong value: %j', async (values, field, message) => {
    const before = await read()
    const reply = await saveTransfer(values)
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid' } })
    const path = `paymentMethods.bank_transfer.${field}`
    expect(reply.body.fields).toEqual([{ field: path, message: expect.stringMatching(message) }])
    expect(await read()).toEqual(before)
  })

  it('are paid in the currency of prices', async () => {
    const sent = { paymentMethods: paymentMethods({ bank_transfer: {} }), currencyDisplay: 'EUR' }
    expect((await save(sent)).status).toBe(200)
    const { body } = await shop.post('/checkout/quote', { body: { cart: [] } })
    expect(body).toMatchObject({ currency: 'EUR' })
  })

  it('need no instructions where they are not offered, or are paid on delivery', async () => {
    expect((await saveTransfer({ isOffered: false, instructions: '' })).status).toBe(200)
    const onDelivery = paymentMethods({ pay_on_delivery: { instructions: '' } })
    expect((await saveMethods(onDelivery)).status).toBe(200)
  })

  it('are no part of the settings that pages read', async () => {
    expect((await shop.get('/settings')).body).not.toHaveProperty('paymentMethods')
  })
})
