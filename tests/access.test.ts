/** Declarations of access, and that they hold. tests/attacks/access.test.ts tries to get around them. */
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import {
  CALLER_KINDS,
  isForStaff,
  isOpen,
  REFUSALS,
  refusalOf,
} from '#app/shared/contract/access.ts'
import { API_PREFIX, type Contract, type Endpoint } from '#app/shared/contract/endpoint.ts'
import { mount } from '#app/shared/server/mount.ts'
import { addPeople, addPerson } from './support/accounts.ts'
import { addressOf, declared } from './support/declared.ts'
import { testShop } from './support/shop.ts'

const shop = testShop()

const guarded = declared.filter(([, { access }]) => !isOpen(access))

describe('a call', () => {
  it('is declared under a name of its own', () => {
    expect(new Set(declared.map(([name]) => name)).size).toBe(declared.length)
  })
})

describe.each(guarded)('%s', (_name, endpoint) => {
  it.each(CALLER_KINDS)('lets a caller of kind %s pass, or refuses it', async (kind) => {
    const { method, access } = endpoint
    const url = API_PREFIX + addressOf(endpoint)
    const token = kind === 'guest' ? '' : (await addPeople(shop.db))[kind].token
    const headers = { authorization: token }
    const reply = await shop.app.inject({ method, url, headers })
    expect(reply.headers['cache-control']).toBe('no-store')
    const refusal = refusalOf(access, kind)
    if (refusal) expect(reply.statusCode).toBe(REFUSALS[refusal])
    else expect(Object.values(REFUSALS)).not.toContain(reply.statusCode)
  })
})

const JSON_BODY = '{"name":"x"}'
const FORM_BODY = '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--b--\r\n'

const bodyOf = ({ upload, multipart }: Endpoint) =>
  multipart
    ? { type: 'multipart/form-data; boundary=b', body: FORM_BODY }
    : { type: upload ?? 'application/json', body: JSON_BODY }

/**
 * Sends the headers with `Expect: 100-continue`, so that the caller is checked before the body is
 * sent.
 */
async function openRequest(endpoint: Endpoint, token: string) {
  const { method, path } = endpoint
  const { type, body } = bodyOf(endpoint)
  if (!shop.app.server.listening) await shop.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = shop.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.write(
    [
      `${method} ${API_PREFIX}${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Connection: close',
      'Expect: 100-continue',
      `Authorization: ${token}`,
      `Content-Type: ${type}`,
      `Content-Length: ${body.length}`,
      '\r\n',
    ].join('\r\n'),
  )
  await once(socket, 'data')
  // when this is answered, the caller has been resolved
  await shop.get('/auth/user-auth', { token })
  return async () => {
    socket.write(body)
    return Number(/HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1])
  }
}

const waiting = guarded.filter(([, { body, upload }]) => body || upload)

describe.each(waiting)('%s, whose body arrives late', (_name, endpoint) => {
  const call = { ...endpoint, path: addressOf(endpoint) as `/${string}` }

  it('is refused where the session has ended meanwhile', async () => {
    const { id, token } = await addPerson(shop.db, { admin: true })
    const finish = await openRequest(call, token)
    await shop.db.deleteFrom('sessions').where('user_id', '=', id).execute()
    expect(await finish()).toBe(401)
  })

  it.runIf(isForStaff(endpoint.access))('is refused where the role has ended', async () => {
    const { id, token } = await addPerson(shop.db, { admin: true })
    const finish = await openRequest(call, token)
    await shop.db.updateTable('users').set({ is_admin: false }).where('id', '=', id).execute()
    expect(await finish()).toBe(403)
  })
})

describe('an endpoint', () => {
  const { access: _forgotten, ...rest } = declared[0]?.[1] ?? {}

  it.each([undefined, 'everybody'])('cannot be mounted with access %j', (access) => {
    const contract = { forgetful: { ...rest, access } } as unknown as Contract
    const served = { contract, handlers: { forgetful: () => ({}) } }
    const mounting = () => mount(Fastify(), served, async () => null)
    expect(mounting).toThrow('The endpoint forgetful declares no access.')
  })
})

describe('a request schema', () => {
  type Node = Partial<Record<'type' | 'format' | 'pattern' | 'enum' | 'const', unknown>>
  const nodesOf = (schema: unknown): Node[] =>
    typeof schema !== 'object' || schema === null
      ? []
      : [schema, ...Object.values(schema).flatMap(nodesOf)]

  const isLoose = ({ type, format, pattern, enum: values, const: value }: Node) =>
    type === 'string' && format !== 'text' && !pattern && !values && value === undefined

  it('is able to tell a loose string', () => {
    expect(nodesOf({ properties: { a: { type: 'string' } } }).filter(isLoose)).toHaveLength(1)
  })

  it.each(declared)('of %s says of every string what may be in it', (_name, endpoint) => {
    const { params, query, body } = endpoint
    expect(nodesOf({ params, query, body }).filter(isLoose)).toEqual([])
  })
})

describe('GET /api/docs', () => {
  it('is a page for people', async () => {
    const page = await shop.app.inject({ url: '/api/docs' })
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.body).toContain('swagger-ui')
    expect((await shop.app.inject({ url: '/api/docs/static/swagger-ui.css' })).statusCode).toBe(200)
  })

  it('prints exactly the declared calls as OpenAPI 3.1, and who may call them', async () => {
    const printed = (await shop.app.inject({ url: '/api/docs/json' })).json()
    expect(printed.openapi).toBe('3.1.0')
    const calls = Object.entries<Record<string, { security: object[] }>>(printed.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, { security }]) => [
          `${method.toUpperCase()} ${path}`,
          security.length > 0,
        ]),
    )
    const expected = declared.map(([, { method, path, access }]) => [
      `${method} ${API_PREFIX}${path.replace(/:(\w+)/g, '{$1}')}`,
      !isOpen(access),
    ])
    expect(Object.fromEntries(calls)).toEqual(Object.fromEntries(expected))
  })
})
