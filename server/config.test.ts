import { readFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { environmentExample, readConfig } from './config.ts'
import { ConfigSchema } from './config-schema.ts'

describe('the settings', () => {
  it('work on a fresh machine, where none is set', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: './data',
      SHOP_NAME: 'Haat',
      CURRENCY_DISPLAY: 'USD',
      CURRENCY_CHARGE: 'INR',
      LOG_LEVEL: 'info',
    })
  })

  it('show prices in the currency in which they are charged, unless both currencies are set', () => {
    expect(readConfig({ CURRENCY_CHARGE: 'EUR' }).CURRENCY_DISPLAY).toBe('EUR')
    expect(readConfig({ CURRENCY_CHARGE: 'EUR', CURRENCY_DISPLAY: 'USD' })).toMatchObject({
      CURRENCY_CHARGE: 'EUR',
      CURRENCY_DISPLAY: 'USD',
    })
    expect(readConfig({ CURRENCY_DISPLAY: 'EUR' }).CURRENCY_CHARGE).toBe('INR')
  })

  it('count as not set when they are empty', () => {
    const names = Object.keys(ConfigSchema.properties)
    const empty = Object.fromEntries(names.map((name) => [name, '']))
    expect(readConfig(empty)).toEqual(readConfig({}))
  })

  it('leave what is not theirs alone', () => {
    expect(readConfig({ PATH: '/bin', PORT: '0' })).toEqual({ ...readConfig({}), PORT: 0 })
  })

  it('are each explained in one line', () => {
    for (const [name, schema] of Object.entries(ConfigSchema.properties)) {
      expect(schema, name).toHaveProperty('description', expect.stringMatching(/^[^\n]{10,}$/))
    }
  })
})

describe('a wrong setting', () => {
  it.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['DEMO', 'yes'],
    ['CURRENCY_DISPLAY', 'dollars'],
    ['CURRENCY_CHARGE', 'inr'],
    ['CURRENCY_CHARGE', 'CLF'],
    ['CURRENCY_DISPLAY', 'ZZZ'],
    ['LOG_LEVEL', 'loud'],
    ['DATABASE_URL', 'mysql://host/name'],
    ['DATABASE_URL', 'postgres://user:pass#word@host/name'],
    ['REDIS_URL', 'localhost:6379'],
    ['RATE_LIMIT', 'no'],
    ['CORS_ORIGINS', 'shop.example.com'],
    ['CORS_ORIGINS', 'https://shop.example.com/'],
    ['TRUST_PROXY', '10.0.0.0/8, everybody'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '0.0.0.0/1'],
    ['RESERVATION_MINUTES', '0'],
    ['RESERVATION_MINUTES', 'long'],
    ['RETRY_SECONDS', '0.5'],
    ['RAZORPAY_API_URL', 'api.razorpay.com'],
    ['PAYMENTS', 'on'],
    ['WORKERS', '0'],
    ['WORKERS', '1.5'],
    ['SHOP_NAME', 'x'.repeat(101)],
    ['SHOP_NAME', ' \u200b'],
    ['SMTP_URL', 'smtp.example.com'],
    ['SMTP_URL', 'https://smtp.example.com'],
    ['SMTP_URL', 'smtp://'],
    ['MAIL_FROM', 'everybody'],
    ['MAIL_FROM', 'Haat <shop@example.com>, x@example.com'],
    ['MAIL_FROM', 'Haat <shop@example.com>\r\nBcc: all@example.com'],
  ])('stops the start with a sentence: %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} .*\\.$`))
  })

  it('is named together with every other', () => {
    expect(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y' })).toThrow(/^PORT .*\nLOG_LEVEL .*\.$/)
  })

  it.each([
    ['PORT', '80.5', 'a whole number'],
    ['PORT', '99999', 'at most 65535'],
    ['CURRENCY_CHARGE', 'XX', 'three capital letters'],
  ])('says what would be right: %s=%s', (name, value, right) => {
    expect(() => readConfig({ [name]: value })).toThrow(`but it must be ${right}`)
  })

  it('says what is allowed', () => {
    expect(() => readConfig({ DEMO: 'yes' })).toThrow(
      'DEMO is set to "yes", but it must be one of: on, off. It means: Load the demo',
    )
  })

  it('is half of a pair of keys', () => {
    for (const half of [{ RAZORPAY_KEY_ID: 'rzp_test_1' }, { RAZORPAY_KEY_SECRET: 'secret' }]) {
      expect(() => readConfig(half)).toThrow(/^RAZORPAY_KEY_ID and RAZORPAY_KEY_SECRET /)
    }
  })

  it('is a sandbox where there are keys, too', () => {
    const keys = { RAZORPAY_KEY_ID: 'rzp_test_1', RAZORPAY_KEY_SECRET: 'secret' }
    expect(() => readConfig({ ...keys, PAYMENTS: 'sandbox' })).toThrow(
      /^PAYMENTS=sandbox and RAZORPAY_KEY_ID /,
    )
    expect(readConfig({ PAYMENTS: 'sandbox' }).PAYMENTS).toBe('sandbox')
  })

  it('is an SMTP server without a sender, or without an address for links', () => {
    const mail = {
      SMTP_URL: 'smtps://user:p%40ss@smtp.example.com',
      MAIL_FROM: 'My Shop <shop@example.com>',
      SHOP_URL: 'https://shop.example.com',
    }
    expect(() => readConfig(mail)).not.toThrow()
    for (const missing of ['MAIL_FROM', 'SHOP_URL'])
      expect(() => readConfig({ ...mail, [missing]: '' })).toThrow(/^SMTP_URL needs MAIL_FROM, /)
  })

  it('is limits switched off where money is live', () => {
    const live = { RAZORPAY_KEY_ID: 'rzp_live_1', RAZORPAY_KEY_SECRET: 's' }
    expect(() => readConfig({ ...live, RATE_LIMIT: 'off' })).toThrow(/^RATE_LIMIT must be on /)
    expect(() => readConfig({ RATE_LIMIT: 'off' })).not.toThrow()
  })

  it('is an address that keys would travel to in the clear', () => {
    const keys = { RAZORPAY_KEY_ID: 'rzp_test_1', RAZORPAY_KEY_SECRET: 's' }
    const at = (url: string, more = {}) => readConfig({ ...more, RAZORPAY_API_URL: url })
    for (const url of [
      'http://razorpay.example',
      'http://10.0.0.1:4000',
      'http://127.0.0.1.example',
      'http://localhost.example',
      'http://[2001:db8::1]',
      'http://127.0.0.1@razorpay.example',
    ]) {
      expect(() => at(url, keys), url).toThrow(/^RAZORPAY_API_URL must start with https:\/\/ /)
      expect(() => at(url), url).not.toThrow()
    }
    for (const url of [
      'https://razorpay.example',
      'http://127.0.0.1:4000',
      'http://127.8.8.8',
      'http://localhost:4000',
      'http://[::1]:4000',
    ]) {
      expect(() => at(url, keys), url).not.toThrow()
    }
  })

  it('is more processes than can open the embedded database', () => {
    expect(() => readConfig({ WORKERS: '2' })).toThrow(
      /^WORKERS must be 1 with the embedded database, which only one process can open; .*\.$/,
    )
    expect(() => readConfig({ WORKERS: '1' })).not.toThrow()
    expect(() => readConfig({ WORKERS: '2', DATABASE_URL: 'postgres://host' })).not.toThrow()
  })

  it('is told without telling a password', () => {
    const reading = () => readConfig({ DATABASE_URL: 'mysql://root:hunter2@host/name' })
    expect(reading).toThrow(/^(?!.*hunter2)/s)
  })
})

describe('the settings that list things', () => {
  it('take several, with or without blanks', () => {
    expect(() =>
      readConfig({
        CORS_ORIGINS: 'https://a.example,http://localhost:5173 , *',
        TRUST_PROXY: '127.0.0.1, ::1, 10.0.0.0/8, fd00::/8, loopback',
      }),
    ).not.toThrow()
  })
})

describe('.env.example', () => {
  const file = () => readFile(new URL('../.env.example', import.meta.url), 'utf8')

  it('is what `npm run env-example` writes', async () => {
    expect(await file()).toBe(environmentExample())
  })

  it('changes nothing, commented out or not', async () => {
    const text = await file()
    expect(parseEnv(text)).toEqual({})
    const set = parseEnv(text.replace(/^# (?=[A-Z_]+=)/gm, ''))
    expect(Object.keys(set).sort()).toEqual(Object.keys(ConfigSchema.properties).sort())
    // a currency that is set is not replaced by a stored one
    expect(readConfig(set)).toEqual({ ...readConfig({}), isCurrencySet: true })
  })
})
