import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SECRET, signedPayment } from '#tests/support/payments.ts'
import { chooseProvider } from './choose-provider.ts'
import { sandbox } from './sandbox.ts'
import { keptSecret } from './sandbox-secret.ts'

const LOG = { warn: () => {}, error: () => {} }

describe('the sandbox', () => {
  it('signs as Razorpay does', () => {
    const proof = sandbox(SECRET, '').pay('order_1')
    expect(proof).toEqual(signedPayment('order_1', proof.razorpay_payment_id))
    expect(sandbox(SECRET, '').verifySignature(proof)).toBe(true)
    expect(sandbox('another secret', '').verifySignature(proof)).toBe(false)
  })
})

describe('its kept secret', () => {
  it('is made once, by whoever comes first, for its owner only', async () => {
    const folder = join(await mkdtemp(join(tmpdir(), 'haat-secret-')), 'data')
    const secrets = await Promise.all(Array.from({ length: 5 }, () => keptSecret(folder)))
    expect(new Set(secrets).size).toBe(1)
    expect(secrets[0]).toMatch(/^[0-9a-f]{64}$/)
    expect(await keptSecret(folder)).toBe(secrets[0])
    const file = join(folder, 'sandbox-secret')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file, 'utf8')).toBe(secrets[0])
    expect(await readdir(folder)).toEqual(['sandbox-secret'])
    await rm(folder, { recursive: true })
  })
})

describe('the choice of the provider', () => {
  const settings = {
    keyId: undefined,
    keySecret: undefined,
    sandboxSecret: SECRET,
    dataDir: '/nowhere',
  }

  it('is the sandbox without keys', async () => {
    const { provider, sandbox } = await chooseProvider(settings, LOG)
    expect(provider.name).toBe('sandbox')
    expect(sandbox).toBe(provider)
    expect(provider.checkoutScript).toBe('/api/v1/payment/sandbox/checkout.js')
  })

  it('is Razorpay with keys, and then there is no sandbox', async () => {
    const keys = { keyId: 'rzp_test_1', keySecret: 'secret' }
    const { provider, sandbox } = await chooseProvider({ ...settings, ...keys }, LOG)
    expect(provider).toMatchObject({ name: 'razorpay', publicKey: 'rzp_test_1' })
    expect(sandbox).toBeNull()
  })
})
