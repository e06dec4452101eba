import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { testShop } from '#tests/support/shop.ts'
import { CONNECTIONS, type ConnectionLimits } from './connections.ts'

const shop = testShop()
const opened: FastifyInstance[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const app of opened.splice(0)) await app.close()
})

/** Starts a shop with these connection limits; returns its port. */
async function listening(connections: Partial<ConnectionLimits> = {}, settings = {}) {
  const config = readConfig({ LOG_LEVEL: 'silent', SANDBOX_SECRET: 's', ...settings })
  const app = await createApp({ config, db: shop.db, logger: false, connections })
  opened.push(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

function open(port: number, localAddress?: string) {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) })
  sockets.push(socket.setEncoding('latin1').on('error', () => {}))
  let received = ''
  socket.on('data', (text) => {
    received += text
  })
  const closed = once(socket, 'close')
  return { socket, received: () => received, closed: () => closed.then(() => received) }
}

/** The bytes that the shop sends until it closes the connection. */
async function said(port: number, bytes: string) {
  const { socket, closed } = open(port)
  socket.write(bytes, 'latin1')
  return closed()
}

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, n]) => Number(n))

const GET = 'GET /api/v1/product/product-count HTTP/1.1\r\nHost: x\r\n'
const POST = 'POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
const last = 'Connection: close\r\n\r\n'

const hasty = { headersTimeout: 600, requestTimeout: 900, connectionsCheckingInterval: 50 }

describe('a slow client', () => {
  it('that never ends its headers is sent away', async () => {
    const { socket, closed } = open(await listening(hasty))
    socket.write(GET)
    const dripping = setInterval(() => socket.write('A: b\r\n'), 50)
    const answer = await closed()
    clearInterval(dripping)
    expect(statuses(answer)).toEqual([408])
    expect(answer).toContain('"message":"The request took too long."')
  })

  it('that never ends its body is sent away', async () => {
    const { socket, closed } = open(await listening(hasty))
    socket.write(`${POST}Content-Length: 1000\r\n\r\n`)
    const dripping = setInterval(() => socket.write(' '), 50)
    const answer = await closed()
    clearInterval(dripping)
    expect(statuses(answer)).toEqual([408])
  })

  it('that says nothing at all is sent away', async () => {
    const { closed } = open(await listening(hasty))
    expect(statuses(await closed())).toEqual([408])
  })

  it('that never reads its answer is sent away', async () => {
    const { socket } = open(await listening({ ...hasty, idleTimeout: 300 }))
    socket.pause()
    const asked = 'GET /api/docs/static/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n'
    socket.write(asked.repeat(100))
    const [app] = opened
    const connections = () =>
      new Promise((resolve) => app?.server.getConnections((_error, count) => resolve(count)))
    await expect.poll(connections, { timeout: 10_000 }).toBe(0)
  })

  it('holds up nobody else', async () => {
    const port = await listening()
    for (let n = 0; n < 100; n++) open(port).socket.write(`${POST}Content-Length: 1000\r\n\r\n{`)
    expect(statuses(await said(port, GET + last))).toEqual([200])
  })
})

describe('a request that two servers may read differently', () => {
  const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
  const chunked = 'Transfer-Encoding: chunked\r\n'

  it.each([
    ['CL.TE', `${POST}Content-Length: 6\r\n${chunked}\r\n0\r\n\r\n${SMUGGLED}`],
    ['TE.CL', `${POST}${chunked}Content-Length: 4\r\n\r\n5c\r\n${SMUGGLED}\r\n0\r\n\r\n`],
    ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 40\r\n\r\n{}${SMUGGLED}`],
    ['the same length twice', `${POST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
    ['a list of lengths', `${POST}Content-Length: 2, 2\r\n\r\n{}`],
    ['a signed length', `${POST}Content-Length: +2\r\n\r\n{}`],
    ['a negative length', `${POST}Content-Length: -2\r\n\r\n{}`],
    ['a hexadecimal length', `${POST}Content-Length: 0x2\r\n\r\n{}`],
    ['an endless length', `${POST}Content-Length: 99999999999999999999999\r\n\r\n{}`],
    ['an unknown encoding', `${POST}Transfer-Encoding: xchunked\r\n\r\n${SMUGGLED}`],
    ['chunked before another', `${POST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['chunked twice', `${POST}${chunked}Transfer-Encoding: x\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['a blank before the colon', `${POST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${SMUGGLED}`],
    ['a folded header', `${POST}A: b\r\n Transfer-Encoding: chunked\r\n\r\n${SMUGGLED}`],
    ['a bare CR in a header', `${POST}A: b\rTransfer-Encoding: chunked\r\n\r\n${SMUGGLED}`],
    ['a wrong chunk', `${POST}${chunked}\r\nzz\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['a signed chunk', `${POST}${chunked}\r\n+2\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['a chunk longer than it says', `${POST}${chunked}\r\n1\r\n{}\r\n0\r\n\r\n${SMUGGLED}`],
    ['no host', `GET / HTTP/1.1\r\n\r\n${SMUGGLED}`],
    ['two hosts', `GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n${last}`],
  ])('is refused, and the connection with it: %s', async (_what, bytes) => {
    const port = await listening()
    const { socket, received, closed } = open(port)
    socket.write(bytes, 'latin1')
    await expect.poll(received).toMatch(/^HTTP\/1\.1 400 /)
    socket.end()
    const answer = await closed()
    expect(answer).toMatch(/"success":false,"code":"invalid"/)
    expect(answer).not.toContain('not_found')
  })
})

describe('a pipeline', () => {
  it('is answered in its order', async () => {
    const port = await listening()
    const answer = await said(port, `${GET}\r\nGET /api/v1/nothing HTTP/1.1\r\nHost: x\r\n${last}`)
    expect(statuses(answer)).toEqual([200, 404])
  })

  it('of more requests than the limit is cut off, and the others are not parsed', async () => {
    const port = await listening()
    let requests = 0
    opened.at(-1)?.server.on('request', () => {
      requests += 1
    })
    const { socket, closed } = open(port)
    socket.write('HEAD / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000))
    await closed()
    expect(requests).toBe(CONNECTIONS.maxPipelined + 2)
    expect(statuses(await said(port, GET + last))).toEqual([200])
  })

  it('that ends in garbage gets its answers first, then a refusal, then the end', async () => {
    const port = await listening()
    for (const garbage of ['\0\0\0\0', 'hello\r\n\r\n', `${'x'.repeat(200)}\r\n`]) {
      expect(statuses(await said(port, `${GET}\r\n${GET}\r\n${garbage}`))).toEqual([200, 200, 400])
    }
  })

  it('that ends in headers without end gets its answer first', async () => {
    const port = await listening()
    const endless = `GET / HTTP/1.1\r\nA: ${'x'.repeat(CONNECTIONS.maxHeaderSize)}`
    expect(statuses(await said(port, `${GET}\r\n${endless}`))).toEqual([200, 431])
  })
})

it('a request in the absolute form is read without its host', async () => {
  const port = await listening()
  const request = GET.replace(' /', ' http://elsewhere.example/')
  expect(statuses(await said(port, request + last))).toEqual([200])
})

describe.runIf(process.platform === 'linux')('too many connections', () => {
  /** Opens so many connections; returns how many are open now. */
  function openMany(port: number, count: number, from: string) {
    const all = Array.from({ length: count }, () => open(port, from).socket)
    return () =>
      all.filter(
        ({ connecting, closed, readableEnded }) => !(connecting || closed || readableEnded),
      ).length
  }
  // the end of the test is its limit: a busy machine refuses 1500 connections slowly
  const settling = { timeout: 55_000, interval: 100 }

  it('of one address are not let in, and others are served meanwhile', async () => {
    const port = await listening()
    const left = openMany(port, 2000, '127.0.0.2')
    await expect.poll(left, settling).toBe(CONNECTIONS.maxPerNetwork)
    expect(statuses(await said(port, GET + last))).toEqual([200])
  })

  it('of all addresses are not let in, and there is room again when they have gone', async () => {
    const port = await listening({ maxConnections: 60, maxPerNetwork: 40 })
    await expect.poll(openMany(port, 50, '127.0.0.2'), settling).toBe(40)
    await expect.poll(openMany(port, 50, '127.0.0.3'), settling).toBe(20)
    for (const socket of sockets.splice(0)) socket.destroy()
    await expect.poll(async () => statuses(await said(port, GET + last))).toEqual([200])
  })

  it('of a trusted proxy are let in, as far as there is room', async () => {
    const port = await listening(
      { maxConnections: 60, maxPerNetwork: 40 },
      { TRUST_PROXY: '127.0.0.2' },
    )
    await expect.poll(openMany(port, 80, '127.0.0.2'), settling).toBe(60)
  })
})
