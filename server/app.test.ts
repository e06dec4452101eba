import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addressOf, declared } from '#tests/support/declared.ts'
import { expectManners, expectRefusal, json } from '#tests/support/refusal.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const ORIGIN = 'https://shop.example'
const openToOthers = testShop({ CORS_ORIGINS: `${ORIGIN}, https://other.example` })

describe('an unknown address', () => {
  it.each(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const)(
    'is not found with %s',
    async (method) => {
      for (const url of [
        '/api/v1/nothing',
        '/api/v1/',
        '/api/v2/product/product-count',
        '/api/%20',
      ]) {
        expectRefusal(await shop.app.inject({ method, url }), 404, url)
      }
    },
  )

  it('is not found before anybody reads what was sent there', async () => {
    const bodies = [json('{'), json(`"${'x'.repeat(2 ** 21)}"`), { payload: 'text' }]
    for (const sent of bodies) {
      const reply = await shop.app.inject({ method: 'POST', url: '/api/v1/nothing', ...sent })
      expectRefusal(reply, 404, String(sent.payload).slice(0, 20))
    }
  })

  it('is what a known address with another method is', async () => {
    const reply = await shop.app.inject({ method: 'DELETE', url: '/api/v1/auth/login' })
    expectRefusal(reply, 404, 'DELETE of a POST')
  })

  it.each(['/api/v1/%', '/api/v1/auth/%C0%AE'])(
    'that cannot be decoded is refused: %s',
    async (url) => expectRefusal(await shop.app.inject({ url }), 400, url),
  )
})

describe.each(['HEAD', 'OPTIONS', 'PATCH'] as const)('%s', (method) => {
  it.each(declared)('of %s is answered', async (_name, endpoint) => {
    const { token } = await addPerson(shop.db, { admin: true })
    const url = API_PREFIX + addressOf(endpoint)
    const headers = { authorization: token }
    expectManners(await shop.app.inject({ method, url, headers }), url)
    expectManners(await openToOthers.app.inject({ method, url }), url)
  })
})

describe('a body', () => {
  const sent = (encoding: string, payload: string | Buffer) =>
    shop.app.inject({
      method: 'POST',
      url: '/api/v1/auth/login',
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      payload,
    })

  it.each(['gzip', 'br', 'deflate', 'zstd', 'GZIP', 'identity, gzip', 'gzip, gzip', 'nonsense'])(
    'that is encoded as %s is refused',
    async (encoding) => {
      for (const payload of [gzipSync('{"email":"a@example.com","password":"x"}'), '{}']) {
        expectRefusal(await sent(encoding, payload), 415, encoding)
      }
    },
  )

  it.each(['', 'identity', 'Identity'])('that is not encoded is read: "%s"', async (encoding) => {
    const reply = await sent(encoding, '{"email":"a@example.com","password":"x"}')
    expect(reply.statusCode).not.toBe(415)
  })

  it('that is a file or a form is not inflated either', async () => {
    const { token: authorization } = await addPerson(shop.db, { admin: true })
    const uploads: [path: string, type: string][] = [
      ['/product/import', 'text/csv'],
      ['/product/create-product', 'multipart/form-data; boundary=x'],
    ]
    for (const [path, type] of uploads) {
      const headers = { authorization, 'content-type': type, 'content-encoding': 'gzip' }
      const request = { method: 'POST', url: API_PREFIX + path, headers } as const
      expectRefusal(await shop.app.inject({ ...request, payload: gzipSync('name') }), 415, type)
    }
  })
})

describe('a browser on another origin', () => {
  const preflight = (app: typeof shop.app, origin: string) =>
    app.inject({
      method: 'OPTIONS',
      url: '/api/v1/auth/user-auth',
      headers: {
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    })

  it('is not let in by default', async () => {
    const headers = { origin: ORIGIN }
    for (const reply of [
      await preflight(shop.app, ORIGIN),
      await shop.app.inject({ url: '/api/v1/auth/user-auth', headers }),
    ]) {
      expect(Object.keys(reply.headers).join()).not.toContain('access-control')
    }
  })

  it('is let in when its origin is listed, with the headers of the contract', async () => {
    const reply = await preflight(openToOthers.app, ORIGIN)
    expect(reply.statusCode).toBe(204)
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-headers': 'Authorization, Content-Type, X-XSRF-TOKEN',
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    })
  })

  it('may read the paging headers, and why it was refused', async () => {
    for (const origin of [ORIGIN, 'https://other.example']) {
      const reply = await openToOthers.app.inject({
        url: '/api/v1/auth/user-auth',
        headers: { origin },
      })
      expect(reply.statusCode).toBe(401)
      expect(reply.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-expose-headers':
          'X-Total-Count, Link, X-Request-Id, Retry-After, ETag, Content-Disposition, Location',
      })
    }
  })

  it('is not let in when its origin is not listed', async () => {
    for (const origin of ['https://evil.example', 'https://shop.example.evil.example', 'null']) {
      const reply = await preflight(openToOthers.app, origin)
      expect(reply.headers).not.toHaveProperty('access-control-allow-origin')
    }
  })
})

describe('a connection', () => {
  /** The bytes that the shop sends until it closes the connection. */
  async function said(bytes: string) {
    if (!shop.app.server.listening) await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = shop.app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    let answer = ''
    socket.on('data', (text) => {
      answer += text
    })
    socket.write(bytes)
    await once(socket, 'close')
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    return { head, body: JSON.parse(body) }
  }

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['an unknown method', 'FROBNICATE / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a broken header', 'GET / HTTP/1.1\r\nHost: x\r\nbroken\r\n\r\n'],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nAuthorization: a\0b\r\n\r\n'],
    [
      'two lengths',
      'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
  ])('that sends %s is refused', async (_what, bytes) => {
    const { head, body } = await said(bytes)
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request/)
    expect(body).toEqual({
      success: false,
      code: 'invalid',
      message: expect.stringMatching(/\S/),
      requestId: /x-request-id: ([\w-]{36})\r?$/m.exec(head)?.[1],
    })
  })

  it('that sends headers without end is refused', async () => {
    const { head, body } = await said(
      `GET / HTTP/1.1\r\nHost: x\r\nA: ${'x'.repeat(200_000)}\r\n\r\n`,
    )
    expect(head).toMatch(/^HTTP\/1\.1 431 /)
    expect(body).toMatchObject({ success: false, code: 'too_large' })
  })
})
