import { describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { testShop } from '#tests/support/shop.ts'
import { readConfig } from './config.ts'
import { extractNonceHashes, pagePolicyOf } from './headers.ts'

const shop = testShop()
const keys = { RAZORPAY_KEY_ID: 'rzp_test_1', RAZORPAY_KEY_SECRET: 'secret' }
const withRazorpay = testShop(keys)
const behindProxy = testShop({ TRUST_PROXY: '10.0.0.1' })
const withoutSubdomains = testShop({ TRUST_PROXY: '10.0.0.1', HSTS_SUBDOMAINS: 'off' })

const ALWAYS = {
  'content-security-policy':
    "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'permissions-policy': expect.stringMatching(/camera=\(\).*payment=\(\)$/),
}

describe('every answer', () => {
  it('tells the browser to be strict, whatever happened', async () => {
    const { token } = await addPerson(shop.db)
    const headers = { authorization: token }
    for (const [status, request] of [
      [200, { url: '/api/v1/product/product-count' }],
      [200, { url: '/api/v1/auth/user-auth', headers }],
      [400, { url: '/api/v1/product/product-list/x' }],
      [400, { url: '/api/v1/%' }],
      [401, { url: '/api/v1/auth/user-auth' }],
      [404, { url: '/api/v1/nothing' }],
      [404, { url: '/nothing', method: 'POST' }],
      [415, { url: '/api/v1/auth/login', method: 'POST', payload: 'x' }],
    ] as const) {
      const reply = await shop.app.inject(request)
      expect(reply.statusCode, request.url).toBe(status)
      expect(reply.headers, request.url).toMatchObject(ALWAYS)
    }
  })

  it('names no software', async () => {
    const { headers } = await shop.app.inject({ url: '/api/v1/product/product-count' })
    expect(Object.keys(headers)).not.toContain('x-powered-by')
    expect(Object.keys(headers)).not.toContain('server')
  })

  it('leaves payment to the provider when there is one', async () => {
    const { headers } = await withRazorpay.app.inject({ url: '/api/v1/product/product-count' })
    expect(headers['permissions-policy']).toMatch(
      /payment=\(self "https:\/\/api\.razorpay\.com" "https:\/\/checkout\.razorpay\.com"\)$/,
    )
  })
})

describe('HSTS', () => {
  const asked = async ({ app }: typeof shop, remoteAddress: string, proto?: string) => {
    const headers = proto ? { 'x-forwarded-proto': proto } : {}
    const reply = await app.inject({ url: '/api/v1/nothing', remoteAddress, headers })
    return reply.headers['strict-transport-security']
  }

  it('is sent when a trusted proxy was asked by TLS', async () => {
    const sent = await asked(behindProxy, '10.0.0.1', 'https')
    expect(sent).toBe('max-age=31536000; includeSubDomains')
  })

  it('leaves the subdomains out when the setting says so', async () => {
    expect(await asked(withoutSubdomains, '10.0.0.1', 'https')).toBe('max-age=31536000')
  })

  it('is sent to nobody else', async () => {
    expect(await asked(behindProxy, '10.0.0.1', 'http')).toBeUndefined()
    expect(await asked(behindProxy, '10.0.0.1')).toBeUndefined()
    expect(await asked(behindProxy, '10.0.0.2', 'https')).toBeUndefined()
    expect(await asked(shop, '10.0.0.1', 'https')).toBeUndefined()
  })
})

describe('the policy of pages', () => {
  const policy = (env = {}) => pagePolicyOf(readConfig(env))(["'sha256-x'"])
  const directive = (name: string, env = {}) =>
    policy(env)
      .split('; ')
      .find((one) => one.startsWith(`${name} `))

  it('lets run what comes from the shop, and the scripts that were hashed', () => {
    expect(directive('script-src')).toBe("script-src 'self' 'sha256-x'")
    expect(policy()).not.toMatch(/unsafe-eval|script-src[^;]*unsafe|https?:|\*/)
    for (const strict of [
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "frame-src 'none'",
      "form-action 'self'",
      "default-src 'self'",
    ]) {
      expect(policy().split('; ')).toContain(strict)
    }
  })

  it("names the provider's hosts when its keys are set, and only then", () => {
    expect(policy()).not.toContain('razorpay')
    const hosts = 'https://*.razorpay.com'
    expect(directive('script-src', keys)).toBe(`script-src 'self' ${hosts} 'sha256-x'`)
    expect(directive('connect-src', keys)).toBe(`connect-src 'self' blob: ${hosts}`)
    expect(directive('frame-src', keys)).toBe(
      `frame-src ${hosts} upi: tez: gpay: phonepe: paytmmp: bhim: credpay:`,
    )
    expect(policy(keys)).not.toContain('unsafe-eval')
  })
})

describe('the scripts of a page', () => {
  const MARK = 'the-mark'
  const ofHi = "'sha256-XJ2NWmzN6ujI1rM9ekfSbLHcLivIQQULuiC/AeTcyy0='"

  it('are hashed when the renderer marked them, and the mark is gone', () => {
    const taken = extractNonceHashes(
      '<head><script nonce="the-mark" src="/a.js"></script></head><script nonce="the-mark">hi()</script>',
      MARK,
    )
    expect(taken.html).toBe('<head><script src="/a.js"></script></head><script>hi()</script>')
    expect(taken.hashes).toEqual([ofHi])
  })

  it('are not hashed when they came from anywhere else', () => {
    for (const script of ['<script>', '<script nonce="guess">', '<script >', "<script id='x'>"]) {
      expect(extractNonceHashes(`<p>${script}evil()</script>`, MARK).hashes).toEqual([])
    }
  })

  it('that stand twice are hashed once', () => {
    const script = '<script nonce="the-mark">hi()</script>'
    expect(extractNonceHashes(script + script, MARK).hashes).toEqual([ofHi])
  })
})

describe('the description of the API', () => {
  it('may style itself, and everything else stays strict', async () => {
    for (const url of ['/api/docs', '/api/docs/static/swagger-ui-bundle.js']) {
      const { statusCode, headers } = await shop.app.inject({ url })
      expect(statusCode).toBe(200)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain("frame-ancestors 'none'")
    }
    const { headers } = await shop.app.inject({ url: '/api/v1/product/product-count' })
    expect(headers['content-security-policy']).not.toContain('script-src')
  })
})
