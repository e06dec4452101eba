import { describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { purchases, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'
import { openProviders } from '../context.ts'

const shop = testShop()
const LOG = { debug() {}, warn() {}, error() {} }

const openWith = (settings: object, isDemo = false) =>
  openProviders(shop.db, settings, { log: LOG, isDemo })

describe('the sandbox', () => {
  it('has one secret, also when several processes start at the same time', async () => {
    const opened = await Promise.all(
      Array.from({ length: 5 }, () => openWith({ PAYMENTS: 'sandbox' })),
    )
    const buyer = await addPerson(shop.db)
    const { body } = await purchases(shop).start(buyer, { amount: 1250 })
    const secrets = await shop.db
      .selectFrom('shop_facts')
      .where('key', '=', 'sandbox_secret')
      .select('value')
      .execute()
    expect(secrets).toMatchObject([{ value: expect.stringMatching(/^[\w-]{43}$/) }])
    const signed = signedPayment(body.id, undefined, secrets[0]?.value)
    const proof = {
      orderId: signed.razorpay_order_id,
      paymentId: signed.razorpay_payment_id,
      signature: signed.razorpay_signature,
    }
    expect(opened.map(([sandbox]) => sandbox?.verify(proof))).toEqual(Array(5).fill(true))
  })

  it('is open in a demo, closed without its setting, and absent beside another provider', async () => {
    const modesWith = async (...settings: Parameters<typeof openWith>) =>
      (await openWith(...settings))
        .filter(({ isByHand }) => !isByHand)
        .map(({ name, mode }) => [name, mode])
    expect(await modesWith({}, true)).toEqual([['sandbox', 'test']])
    expect(await modesWith({})).toEqual([['sandbox', 'none']])
    const keys = { RAZORPAY_KEY_ID: 'rzp_test_1', RAZORPAY_KEY_SECRET: 'secret' }
    expect(await modesWith(keys, true)).toEqual([['razorpay', 'test']])
  })
})
