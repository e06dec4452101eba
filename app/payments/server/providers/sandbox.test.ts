import { describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { purchases, SECRET, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'
import { chooseProvider } from './choose-provider.ts'
import { sandbox } from './sandbox.ts'

const shop = testShop()
const SETTINGS = {
  allowsSandbox: true,
  keyId: undefined,
  keySecret: undefined,
  webhookSecret: undefined,
  apiUrl: undefined,
  sandboxSecret: SECRET,
}
const LOG = { debug: () => {}, warn: () => {}, error: () => {} }

describe('the sandbox', () => {
  it('signs as Razorpay does', () => {
    const proof = signedPayment('order_1')
    expect(sandbox(SECRET, '', shop.db).verifySignature(proof)).toBe(true)
    expect(sandbox('another secret', '', shop.db).verifySignature(proof)).toBe(false)
  })

  it('remembers what was paid in its dialog until it is given back', async () => {
    const buyer = await addPerson(shop.db)
    const { body } = await purchases(shop).start(buyer, { amount: 1250 })
    const box = sandbox(SECRET, '', shop.db)
    expect(await box.paymentsOf(body.id)).toEqual([])
    const proof = await box.pay(body.id)
    expect(proof).toEqual(signedPayment(body.id, proof.razorpay_payment_id))
    const amount = { amountMinor: 1250, currency: 'INR' }
    const paid = {
      id: proof.razorpay_payment_id,
      ...amount,
      refundedMinor: 0,
      status: 'captured' as const,
    }
    expect(await box.paymentsOf(body.id)).toEqual([paid])
    expect(await box.orderOf(body.id)).toEqual({ ...amount, isPaid: true })
    await box.refund(paid.id, {
      storedMinor: 1250,
      totalRefundMinor: null,
      doneMinor: 0,
      key: 'payment-1',
    })
    expect(await box.paymentsOf(body.id)).toEqual([])
    expect(await box.orderOf(body.id)).toEqual({ ...amount, isPaid: false })
  })
})

describe('its secret in the database', () => {
  const chosen = () => chooseProvider({ ...SETTINGS, sandboxSecret: undefined }, shop.db, LOG)

  it('is made once, also when several processes start at the same time', async () => {
    const choices = await Promise.all(Array.from({ length: 5 }, chosen))
    const secrets = choices.flatMap(({ webhookSecrets }) => webhookSecrets)
    expect(secrets).toHaveLength(5)
    expect(new Set(secrets).size).toBe(1)
    expect(secrets[0]).toMatch(/^[\w-]{43}$/)
    expect((await chosen()).webhookSecrets).toEqual(secrets.slice(0, 1))
  })
})

describe('the choice of the provider', () => {
  it('is the sandbox without keys', async () => {
    const { provider, sandbox, webhookSecrets } = await chooseProvider(SETTINGS, shop.db, LOG)
    expect(provider.name).toBe('sandbox')
    expect(sandbox).toBe(provider)
    expect(webhookSecrets).toEqual([SECRET])
    expect(provider.checkoutScript).toBe('/api/v1/payment/sandbox/checkout.js')
  })

  it('is Razorpay with keys, and then there is no sandbox', async () => {
    const keys = { keyId: 'rzp_test_1', keySecret: 'secret' }
    const { provider, sandbox, webhookSecrets } = await chooseProvider(
      { ...SETTINGS, ...keys },
      shop.db,
      LOG,
    )
    expect(provider).toMatchObject({ name: 'razorpay', publicKey: 'rzp_test_1' })
    expect(sandbox).toBeNull()
    expect(webhookSecrets).toEqual([])
  })
})
