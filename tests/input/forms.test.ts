import { connect } from 'node:net'
import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, it } from 'vitest'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addressOf, declared, fieldsOf } from '#tests/support/declared.ts'
import { expectManners, expectRefusal, json } from '#tests/support/refusal.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let token = ''
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
})

const MEBIBYTE = 2 ** 20
const forms = declared.filter(([, { multipart }]) => multipart)

const part = (disposition: string, value = '', ...headers: string[]) =>
  [`Content-Disposition: form-data; ${disposition}`, ...headers, '', value].join('\r\n')
const field = (name: string, value: string) => part(`name="${name}"`, value)
const file = (name: string, value: string, type = 'image/jpeg') =>
  part(`name="${name}"; filename="a.jpg"`, value, `Content-Type: ${type}`)
const body = (...parts: string[]) =>
  `${parts.map((one) => `--limit\r\n${one}\r\n`).join('')}--limit--\r\n`

const TYPE = 'multipart/form-data; boundary=limit'
const form = (payload: string, type = TYPE): InjectOptions => ({
  headers: { 'content-type': type },
  payload: Buffer.from(payload, 'latin1'),
})

const url = (endpoint: Endpoint) => API_PREFIX + addressOf(endpoint)
const send = (endpoint: Endpoint, { headers, ...rest }: InjectOptions) =>
  shop.app.inject({
    method: endpoint.method,
    url: url(endpoint),
    headers: { authorization: token, ...headers },
    ...rest,
  })

it('knows the forms', () => expect(forms.length).toBeGreaterThan(0))

describe.each(forms)('the form of %s', (_name, endpoint) => {
  const name = fieldsOf(endpoint.body)[0] ?? ''

  it('is refused as anything else', async () => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/mixed', ';']
    for (const type of types) expectRefusal(await send(endpoint, form('a=b', type)), 415, type)
    expectRefusal(await send(endpoint, json('{"name":"x"}')), 415, 'JSON')
    expectRefusal(await send(endpoint, { payload: Buffer.from('x') }), 415, 'nothing said')
  })

  it('is refused when it is none', async () => {
    const whole = body(field(name, 'x'), file('photo', 'x'.repeat(300)))
    for (const type of ['multipart/form-data', 'multipart/form-data; boundary=']) {
      expectRefusal(await send(endpoint, form(whole, type)), 400, type)
    }
    for (const text of ['', 'x', '--limit', '--limit\r\n', '--limit\r\n\r\n', '\0'.repeat(9999)]) {
      expectManners(await send(endpoint, form(text)), JSON.stringify(text).slice(0, 40))
    }
    for (let end = 1; end < whole.length - 4; end += 7) {
      expectManners(await send(endpoint, form(whole.slice(0, end))), `the first ${end} bytes`)
    }
    expectRefusal(await send(endpoint, {}), 400, 'no body')
  })

  it('may have any parts', async () => {
    const parts = [
      ...['', 'x', '__proto__', 'constructor', 'toString', 'photo', 'photo[]', 'a\0b'].flatMap(
        (name) => [field(name, 'x'), file(name, 'x'), field(name, '')],
      ),
      part('', 'x'),
      part('name', 'x'),
      part(`name="${'x'.repeat(100_000)}"`, 'x'),
      part(`name="${name}`, 'x'),
      part(`name*=utf-8''${name}`, 'x'),
      part(`name="${name}"; filename="../../etc/passwd"`, 'x'),
      part(`name="${name}"`, '{"a":{"__proto__":1}}', 'Content-Type: application/json'),
      part(`name="${name}"`, '{', 'Content-Type: application/json'),
      part(`name="${name}"`, '+AGE-', 'Content-Type: text/plain; charset=utf-7'),
      part(`name="${name}"`, '\xff\xfe', 'Content-Type: text/plain; charset=nothing'),
      part(`name="${name}"`, '\xff\xfe\xed\xa0\x80'),
      part(`name="${name}"`, '=00', 'Content-Transfer-Encoding: quoted-printable'),
      part(`name="${name}"`, 'x', ...Array.from({ length: 5000 }, (_, n) => `X-${n}: x`)),
      part(`name="${name}"`, 'x', `X: ${'x'.repeat(200_000)}`),
      'no header at all',
      ':\r\n\r\n:',
    ]
    for (const one of parts) {
      const reply = await send(endpoint, form(body(one, field('last', 'x'))))
      expectManners(reply, one.slice(0, 80))
      expect(reply.statusCode, one.slice(0, 80)).toBeGreaterThanOrEqual(400)
    }
  })

  it('is refused with a field that comes twice, or is a file', async () => {
    for (const name of fieldsOf(endpoint.body)) {
      const twice = await send(endpoint, form(body(field(name, '1'), field(name, '2'))))
      expectRefusal(twice, 400, name)
      expect(twice.json().message).toBe(`${name} was sent more than once.`)
      const asFile = await send(endpoint, form(body(file(name, 'x', 'text/plain'))))
      expectRefusal(asFile, 400, name)
      expect(asFile.json().message).toBe(`${name} must not be a file.`)
    }
    expectRefusal(await send(endpoint, form(body(file('photo', 'x'), file('photo', 'x')))), 400, '')
  })

  it('is refused when there is too much of it', async () => {
    const large = {
      'many fields': body(...Array.from({ length: 20_000 }, (_, n) => field(`f${n}`, 'x'))),
      'many files': body(...Array.from({ length: 1000 }, (_, n) => file(`f${n}`, 'x'))),
      'a long field': body(field(name, 'x'.repeat(2 * MEBIBYTE))),
      'a large file': body(file('photo', 'x'.repeat(10 * MEBIBYTE + 1))),
      'a large file of another name': body(file('other', 'x'.repeat(10 * MEBIBYTE + 1))),
      'all together': body(
        ...Array.from({ length: 30 }, () => file('other', 'x'.repeat(MEBIBYTE))),
      ),
    }
    for (const [what, payload] of Object.entries(large)) {
      expectRefusal(await send(endpoint, form(payload)), 413, what)
    }
  })

  it('is not read before it is known who sends it', async () => {
    for (const options of [form(body(field(name, 'x'))), form('x'), json('{')]) {
      const reply = await shop.app.inject({
        method: endpoint.method,
        url: url(endpoint),
        ...options,
      })
      expectRefusal(reply, 401, 'a guest')
    }
  })

  it('is printed as a form with a file', async () => {
    const { paths } = (await shop.app.inject({ url: '/api/docs/json' })).json()
    const path = API_PREFIX + endpoint.path.replace(/:(\w+)/g, '{$1}')
    const { content } = paths[path][endpoint.method.toLowerCase()].requestBody
    const { properties } = content['multipart/form-data'].schema
    expect(Object.keys(content)).toEqual(['multipart/form-data'])
    expect(Object.keys(properties)).toEqual([...fieldsOf(endpoint.body), 'photo'])
    expect(properties.photo).toMatchObject({ type: 'string', format: 'binary' })
  })
})

describe('a form on a real connection', () => {
  let port = 0
  beforeAll(async () => {
    port = Number(new URL(await shop.app.listen({ port: 0, host: '127.0.0.1' })).port)
  })
  const [, endpoint] = forms[0] ?? []
  const head = (...headers: string[]) =>
    [
      `${endpoint?.method} ${endpoint && url(endpoint)} HTTP/1.1`,
      'Host: shop',
      'Connection: close',
      `Authorization: ${token}`,
      `Content-Type: ${TYPE}`,
      ...headers,
      '\r\n',
    ].join('\r\n')

  /** The response to these bytes; `leave` disconnects after sending them. */
  const exchange = (bytes: string, leave = false) =>
    new Promise<string>((resolve) => {
      let answer = ''
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(bytes, 'latin1', () => leave && socket.destroy())
      })
      socket.on('data', (chunk) => {
        answer += chunk
      })
      socket.on('error', () => {}).on('close', () => resolve(answer))
    })

  it('that is too large hears so, although it was not read', async () => {
    const payload = body(file('photo', 'x'.repeat(20 * MEBIBYTE)))
    expect(await exchange(head(`Content-Length: ${payload.length}`) + payload)).toMatch(
      /^HTTP\/1.1 413 .*"too_large"/s,
    )
    const size = payload.length.toString(16)
    const chunked = `${size}\r\n${payload}\r\n0\r\n\r\n`
    expect(await exchange(head('Transfer-Encoding: chunked') + chunked)).toMatch(
      /^HTTP\/1.1 413 .*"too_large"/s,
    )
  })

  it('that is given up half-way takes nobody else’s place', async () => {
    const half = body(file('photo', 'x'.repeat(3 * MEBIBYTE))).slice(0, 2 * MEBIBYTE)
    const given = Array.from({ length: 60 }, () =>
      exchange(head(`Content-Length: ${10 * MEBIBYTE}`) + half, true),
    )
    await Promise.all(given)
    const payload = body(file('photo', 'x'.repeat(2 * MEBIBYTE)))
    const answer = await exchange(head(`Content-Length: ${payload.length}`) + payload)
    expect(answer).toMatch(/^HTTP\/1.1 400 .*"invalid"/s)
  })
})
