import { describe, expect, it } from 'vitest'
import { addPerson } from '#tests/support/accounts.ts'
import { json } from '#tests/support/refusal.ts'
import { testShop } from '#tests/support/shop.ts'
import { yardstick } from '#tests/support/yardstick.ts'
import { refusalOf } from './accept-json.ts'

const shop = testShop()
const isTooDeep = (text: string) => refusalOf(text) === 'The body is nested too deeply.'
const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

describe('JSON', () => {
  it('is too deep from 65 levels on, of lists and objects alike', () => {
    expect(isTooDeep(nested(64))).toBe(false)
    expect(isTooDeep(nested(65))).toBe(true)
    expect(isTooDeep(`${'{"a":['.repeat(32)}1`)).toBe(false)
    expect(isTooDeep(`${'{"a":['.repeat(33)}1`)).toBe(true)
  })

  it('has at most 50,000 parts side by side, of lists, objects and values alike', () => {
    expect(refusalOf(`[${'[],{},'.repeat(12_000)}0]`)).toBe(null)
    for (const part of ['[],', '{},', '0,', '"a",']) {
      const text = `[${part.repeat(50_000)}0]`
      expect(refusalOf(text), part).toBe('The body has too many parts.')
    }
  })

  it('may have commas in its strings', () => {
    expect(refusalOf(`["${','.repeat(60_000)}"]`)).toBe(null)
  })

  it('may have brackets in its strings, and quotes that are escaped', () => {
    const brackets = '['.repeat(100)
    expect(isTooDeep(`{"a":"${brackets}"}`)).toBe(false)
    expect(isTooDeep(`{"a":"\\"${brackets}"}`)).toBe(false)
    expect(isTooDeep(`{"a":"\\\\",${brackets}`)).toBe(true)
    expect(isTooDeep('"never closed [[[')).toBe(false)
    expect(isTooDeep('"\\')).toBe(false)
  })
})

// sent to an endpoint with a body limit of this size
describe('a body of brackets', () => {
  const SIZE = 960 * 1024
  /** How long the event loop may be blocked, as a multiple of fixed work. */
  const MAX_HELD = 20
  const bodies = {
    'opened and never closed': '['.repeat(SIZE),
    'opened and closed': nested(SIZE / 2),
    'of objects': '{"a":'.repeat(SIZE / 5),
    'side by side': `{"a":[${'[],'.repeat(SIZE / 3)}0]}`,
    'in a field that is ignored': `{"email":"a@b","password":"x","ignored":${nested(SIZE / 2)}}`,
  }

  it.each(Object.entries(bodies))('%s holds up nobody else', async (_what, body) => {
    const { token: authorization } = await addPerson(shop.db)
    const start = () => {
      const { payload, headers } = json(body)
      return shop.app.inject({
        method: 'POST',
        url: '/api/v1/product/razorpay/order',
        payload,
        headers: { ...headers, authorization },
      })
    }
    await start()
    const before = process.threadCpuUsage()
    expect([400, 409]).toContain((await start()).statusCode)
    const { user, system } = process.threadCpuUsage(before)
    const held = (user + system) / 1000
    expect(held).toBeLessThan(MAX_HELD * yardstick())
  })

  it('is refused as a body that is not valid', async () => {
    const { token } = await addPerson(shop.db)
    const reply = await shop.post('/product/razorpay/order', {
      token,
      body: bodies['opened and closed'],
      headers: { 'content-type': 'application/json' },
    })
    expect(reply).toMatchObject({ status: 400, body: { code: 'invalid' } })
    expect(reply.body.message).toBe('The body is nested too deeply.')
  })
})
