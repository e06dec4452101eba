import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { purchases, SECRET, signedPayment } from '#tests/support/payments.ts'
import { testShop } from '#tests/support/shop.ts'
import { chooseProvider } from './choose-provider.ts'
import { sandbox } from './sandbox.ts'
import { readOrCreateSecret } from './sandbox-secret.ts'

const shop = testShop()
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
      inAllMinor: null,
      doneMinor: 0,
      key: 'payment-1',
    })
    expect(await box.paymentsOf(body.id)).toEqual([])
    expect(await box.orderOf(body.id)).toEqual({ ...amount, isPaid: false })
  })
})

describe('its kept secret', () => {
  it('is made once, by whoever comes first, for its owner only', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'haat-secret-')), 'data')
    const secrets = await Promise.all(Array.from({ length: 5 }, () => readOrCreateSecret(folder)))
    expect(new Set(secrets).size).toBe(1)
    expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(await readOrCreateSecret(folder)).toBe(secrets[0])
    const file = join(folder, 'sandbox-secret')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toBe(secrets[0])
    expect(await readdir(folder)).toEqual(['sandbox-secret'])
    await rm(folder, { recursive: true })
  })
})

describe('the choice of the provider', () => {
  const settings = {
    allowsSandbox: true,
    keyId: undefined,
    keySecret: undefined,
    webhookSecret: undefined,
    apiUrl: undefined,
    sandboxSecret: SECRET,
    dataDir: '/nowhere',
  }

  it('is the sandbox without keys', async () => {
    const { provider, sandbox, webhookSecrets } = await chooseProvider(settings, shop.db, LOG)
    expect(provider.name).toBe('sandbox')
    expect(sandbox).toBe(provider)
    expect(webhookSecrets).toEqual([SECRET])
    expect(provider.checkoutScript).toBe('/api/v1/payment/sandbox/checkout.js')
  })

  it('is Razorpay with keys, and then there is no sandbox', async () => {
    const keys = { keyId: 'rzp_test_1', keySecret: 'secret' }
    const { provider, sandbox, webhookSecrets } = await chooseProvider(
      { ...settings, ...keys },
      shop.db,
      LOG,
    )
    expect(provider).toMatchObject({ name: 'razorpay', publicKey: 'rzp_test_1' })
    expect(sandbox).toBeNull()
    expect(webhookSecrets).toEqual([])
  })
})
