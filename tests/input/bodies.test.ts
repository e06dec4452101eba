import type { InjectOptions } from 'fastify'
import { beforeEach, describe, expect, it } from 'vitest'
import { isOpen } from '#app/shared/contract/access.ts'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addressOf, declared, fieldsOf } from '#tests/support/declared.ts'
import { expectManners, expectRefusal, json } from '#tests/support/refusal.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let token = ''
// for every test anew, because one of the tested calls logs out
beforeEach(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
})

/** Sends a request as an admin, so that only its input can be invalid. */
const send = (
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  { headers, ...rest }: InjectOptions = {},
) =>
  shop.app.inject({
    method,
    url: API_PREFIX + path,
    headers: { authorization: token, ...headers },
    ...rest,
  })

const at = (endpoint: Endpoint) => ({
  method: endpoint.method,
  path: addressOf(endpoint) as `/${string}`,
})

const MEBIBYTE = 2 ** 20
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const padded = (bytes: number) => `{"padding":"${'x'.repeat(bytes - 14)}"}`

const withBody = declared.filter(([, { body, multipart }]) => body && !multipart)

describe.each(withBody)('the body of %s', (_name, endpoint) => {
  const call = at(endpoint)

  it('is refused when it is not JSON', async () => {
    for (const text of [
      '{',
      '{"a":}',
      'null,',
      '{"a":1}}',
      "{'a':1}",
      'undefined',
      '\0',
      '\ufeff{',
    ]) {
      expectRefusal(await send(call, json(text)), 400, text)
    }
  })

  it('is refused when it is not an object', async () => {
    for (const text of ['null', '[]', '"text"', '7', 'true', '']) {
      expectRefusal(await send(call, json(text)), 400, text)
    }
  })

  it.each(['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'json', ';'])(
    'is refused as %s',
    async (type) => {
      const reply = await send(call, { headers: { 'content-type': type }, payload: '{}' })
      expectRefusal(reply, 415, type)
    },
  )

  it('is refused without a content type', async () => {
    const reply = await send(call, { payload: Buffer.from('{}') })
    expectRefusal(reply, 415, 'no content type')
  })

  it('may be 1 MiB, and not a byte more', async () => {
    const max = 2 ** 20
    expect((await send(call, json(padded(max)))).statusCode).not.toBe(413)
    expectRefusal(await send(call, json(padded(max + 1))), 413, 'over 1 MiB')
  })

  it.each(['__proto__', 'constructor'])('is refused with the key %s, however deep', async (key) => {
    for (const text of [
      `{"${key}":{}}`,
      `{"a":[{"${key}":1}]}`,
      `{"a":{"b":{"${key}":{"c":1}}}}`,
    ]) {
      expectRefusal(await send(call, json(text)), 400, text)
    }
    const escaped = `{"${key.replace('o', '\\u006f')}":{"prototype":{}}}`
    expectRefusal(await send(call, json(escaped)), 400, escaped)
  })

  it('may carry anything in a field that is ignored', async () => {
    const numbers = `[${'0,'.repeat(500_000)}0]`
    for (const ignored of [
      deep(100_000),
      '{"a":'.repeat(50_000) + 1 + '}'.repeat(50_000),
      numbers,
      '"\\u0000\\ud800"',
    ]) {
      const reply = await send(call, json(`{"ignored":${ignored}}`))
      expectManners(reply, ignored.slice(0, 20))
    }
  })

  it('may carry anything in the wrong place', async () => {
    const wrong = [
      'null',
      '7',
      '-1',
      '1e308',
      '1e400',
      'true',
      '""',
      '"\\u0000"',
      '"\\ud800"',
      '{}',
      '[]',
      '[[]]',
      '[null]',
      '[{}]',
      `"${'x'.repeat(500_000)}"`,
      deep(10_000),
    ]
    for (const property of fieldsOf(endpoint.body)) {
      for (const value of wrong) {
        const reply = await send(call, json(`{"${property}":${value}}`))
        expectManners(reply, `${property}: ${value.slice(0, 20)}`)
      }
    }
  })
})

const HOSTILE = [
  '%00',
  '%ff',
  '%',
  '%2',
  '%ED%A0%80',
  '%F0%9F',
  '..%2f..%2fetc',
  "'--",
  '%22',
  '%5C',
  '%3B',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '0',
  '-1',
  '1.5',
  '1e12',
  '99999999999999999999',
  '%F0%9F%AA%B4',
  'x'.repeat(5000),
  '%F0%9F%AA%B4'.repeat(5000),
  'x'.repeat(99_000),
  '%20',
  '*',
  '%2a',
  '{}',
  '[]',
  '(',
]

/** Properties that no query has. */
const UNDECLARED = ['ignored', '__proto__', 'constructor', '']

const withParams = declared.flatMap(([name, endpoint]) =>
  [...endpoint.path.matchAll(/:(\w+)/g)].map(([whole, param = '']) => ({
    name,
    endpoint,
    whole,
    param,
  })),
)

describe.each(withParams)('$param in the address of $name', ({ endpoint, whole, param }) => {
  const filled = (value: string) => {
    const path = endpoint.path.replace(whole, value) as `/${string}`
    return { method: endpoint.method, path: addressOf({ ...endpoint, path }) as `/${string}` }
  }

  it('may be anything', async () => {
    for (const value of HOSTILE) {
      expectManners(await send(filled(value)), `${param}: ${value.slice(0, 40)}`)
    }
  })

  it('is refused when it cannot be decoded', async () => {
    for (const value of ['%', '%ff', '%2']) expectRefusal(await send(filled(value)), 400, value)
  })

  it('is refused when it is longer than any address', async () => {
    expectRefusal(await send(filled('x'.repeat(100_001))), 404, 'over-long')
  })
})

describe.each(declared)('the query of %s', (_name, endpoint) => {
  const { method, path } = at(endpoint)

  it('is refused when it has half of a character', async () => {
    const reply = await send({ method, path: `${path}?q=%ed%a0%80` })
    expectRefusal(reply, 400, 'a lone surrogate')
  })

  it('may be anything', async () => {
    const ask = async (properties: string[], write: (property: string) => string) => {
      const query = properties.map(write).join('&')
      expectManners(await send({ method, path: `${path}?${query}` }), query.slice(0, 80))
    }
    for (const property of fieldsOf(endpoint.query)) {
      for (const value of HOSTILE) await ask([property], (name) => `${name}=${value}`)
      await ask([property], (name) => `${name}=1&${name}=2`)
      await ask([property], (name) => `${name}[a]=1&${name}`)
    }
    for (const value of HOSTILE) {
      // an address has room for all of them unless the value is long
      const together = value.length < 20_000 ? [UNDECLARED] : UNDECLARED.map((name) => [name])
      for (const names of together) await ask(names, (name) => `${name}=${value}`)
    }
    await ask(UNDECLARED, (name) => `${name}=1&${name}=2`)
    await ask(UNDECLARED, (name) => `${name}[a]=1&${name}`)
  })
})

/** Invalid page numbers, in these and unusual notations. */
const NO_PAGES = ['0', '-1', 'x', '1.5', '', '1&page=2', '%00'].concat([
  '1e3',
  '%2B1',
  '0x1',
  '%201',
  '1%20',
  '01',
  '1.0',
  '1_0',
  '-0',
  '١',
  'Infinity',
])

const paged = declared.filter(([, { query }]) => fieldsOf(query).includes('page'))

describe.each(paged)('the pages of %s', (_name, endpoint) => {
  it('start at 1', async () => {
    const { method, path } = at(endpoint)
    for (const page of NO_PAGES) {
      expectRefusal(await send({ method, path: `${path}?page=${page}` }), 400, page)
    }
  })
})

describe('the pages of listProducts', () => {
  it('start at 1 in the path, too', async () => {
    for (const page of NO_PAGES.filter((one) => one !== '' && !one.includes('&'))) {
      const path = `/product/product-list/${page}` as const
      expectRefusal(await send({ method: 'GET', path }), 400, page)
    }
    expect((await send({ method: 'GET', path: '/product/product-list/1' })).statusCode).toBe(200)
  })
})

describe('the order of checks', () => {
  const guarded = withBody.filter(([, { access }]) => !isOpen(access))
  const huge = json(padded(2 * MEBIBYTE))

  it('asks who calls before it reads what they send', async () => {
    expect(guarded.length).toBeGreaterThan(0)
    for (const [name, endpoint] of guarded) {
      for (const [what, sent] of Object.entries({
        huge,
        broken: json('{'),
        text: { payload: 'x' },
      })) {
        const { method, path } = at(endpoint)
        const reply = await shop.app.inject({ method, url: API_PREFIX + path, ...sent })
        expectRefusal(reply, 401, `${name}: ${what}`)
      }
    }
  })

  it('asks for size and media type before the schema', async () => {
    for (const [name, endpoint] of withBody) {
      const { method, path } = at(endpoint)
      const bad = { method, path: `${path}?page=x` } as const
      expectRefusal(await send(bad, huge), 413, name)
      expectRefusal(
        await send(bad, { headers: { 'content-type': 'a/b' }, payload: 'x' }),
        415,
        name,
      )
    }
  })
})
