import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, describe, expect, it } from 'vitest'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { block } from '#tests/support/block.ts'
import { testShop } from '#tests/support/shop.ts'
import { CONNECTIONS, type Connections, capConnections } from './connections.ts'

const shop = testShop()
const opened: FastifyInstance[] = []
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const app of opened.splice(0)) await app.close()
})

/** A shop that listens, with these bounds instead of the usual ones; answers its port. */
async function listening(connections: Partial<Connections> = {}, settings = {}) {
  const config = readConfig({ LOG_LEVEL: 'silent', SANDBOX_SECRET: 's', ...settings })
  const app = await createApp({ config, db: shop.db, logger: false, connections })
  opened.push(app)
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

function open(port: number, localAddress?: string) {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) })
  sockets.push(socket.setEncoding('latin1').on('error', () => {}))
  let heard = ''
  socket.on('data', (text) => {
    heard += text
  })
  const closed = once(socket, 'close')
  return { socket, heard: () => heard, closed: () => closed.then(() => heard) }
}

/** All that the shop says to these bytes, until it hangs up. */
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

const hasty = { headersMs: 600, pace: { bytes: 100, ms: 300 }, lookMs: 50 }

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
    expect(statuses(answer)).toEqual([])
  })

  it('that says nothing at all is sent away', async () => {
    const { closed } = open(await listening(hasty))
    expect(statuses(await closed())).toEqual([408])
  })

  it('that never reads its answer is sent away', async () => {
    const { socket } = open(await listening({ ...hasty, silenceMs: 300 }))
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

  it('has bounds that hold for everybody', () => {
    expect(CONNECTIONS).toMatchObject({
      ...{ headersMs: 20_000, most: 5000, mostOfAddress: 500, mostOfWider: [1000, 2000] },
      pace: { bytes: 64 * 1024, ms: 60_000 },
    })
  })
})

describe('a shop that was late itself', () => {
  /** A client whom the shop has let in, and who has said this before the shop is busy for long. */
  async function heldUp(connections: Partial<Connections>, bytes: string) {
    const port = await listening(connections)
    const client = open(port)
    const [app = shop.app] = opened
    await once(app.server, 'connection')
    client.socket.write(bytes)
    block(3 * hasty.headersMs)
    return { ...client, port }
  }

  it('reads first what was sent to it in time', async () => {
    const { closed } = await heldUp(hasty, GET + last)
    expect(statuses(await closed())).toEqual([200])
  })

  it('calls nobody slow whom it let wait, and says when to come again', async () => {
    const { closed } = await heldUp(hasty, GET)
    const answer = await closed()
    expect(statuses(answer)).toEqual([503])
    expect(answer).toMatch(/\r\nRetry-After: 5\r\n/)
    expect(answer).toContain('"code":"unavailable"')
  })

  it('calls slow who is slow when it is punctual again', async () => {
    const { closed, port } = await heldUp(hasty, GET)
    await closed()
    expect(statuses(await open(port).closed())).toEqual([408])
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
    const { socket, heard, closed } = open(port)
    socket.write(bytes, 'latin1')
    await expect.poll(heard).toMatch(/^HTTP\/1\.1 400 /)
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

  it('that ends in garbage gets its answers first, then a refusal, then the end', async () => {
    const port = await listening()
    for (const garbage of ['\0\0\0\0', 'hello\r\n\r\n', `${'x'.repeat(200)}\r\n`]) {
      expect(statuses(await said(port, `${GET}\r\n${GET}\r\n${garbage}`))).toEqual([200, 200, 400])
    }
  })

  it('that ends in headers without end gets its answer first', async () => {
    const port = await listening()
    const endless = `GET / HTTP/1.1\r\nA: ${'x'.repeat(CONNECTIONS.headerBytes)}`
    expect(statuses(await said(port, `${GET}\r\n${endless}`))).toEqual([200, 431])
  })
})

describe.runIf(process.platform === 'linux')('too many connections', () => {
  /** Opens so many; answers how many of them stand open now. */
  function openMany(port: number, count: number, from: string) {
    const all = Array.from({ length: count }, () => open(port, from).socket)
    return () =>
      all.filter(
        ({ connecting, closed, readableEnded }) => !(connecting || closed || readableEnded),
      ).length
  }
  const settling = { timeout: 15_000, interval: 100 }

  it('of one address are not let in, and others are served meanwhile', async () => {
    const port = await listening()
    const left = openMany(port, 2000, '127.0.0.2')
    await expect.poll(left, settling).toBe(CONNECTIONS.mostOfAddress)
    expect(statuses(await said(port, GET + last))).toEqual([200])
  })

  it('of one wide network of IPv6 are not let in, from however many addresses', () => {
    const server = createServer()
    capConnections(server, { ...CONNECTIONS, mostOfAddress: 2, mostOfWider: [4, 6] }, () => false)
    const come = (remoteAddress: string) => {
      const socket = Object.assign(new Socket(), { on: () => socket })
      Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
      server.emit('connection', socket)
      return socket
    }
    const first = come('2001:db8:1:1100::1')
    const from56 = ['1100', '1101', '1102', '1103', '1104'].map((at) => come(`2001:db8:1:${at}::1`))
    expect(from56.map(({ destroyed }) => destroyed)).toEqual([false, false, false, true, true])
    const from48 = ['12', '13', '14'].map((at) => come(`2001:db8:1:${at}00::1`))
    expect(from48.map(({ destroyed }) => destroyed)).toEqual([false, false, true])
    expect(come('2001:db8:2::1').destroyed).toBe(false)
    first.emit('close')
    expect(come('2001:db8:1:1500::1').destroyed).toBe(false)
  })

  it('of all addresses are not let in, and there is room again when they have gone', async () => {
    const port = await listening({ most: 60, mostOfAddress: 40 })
    await expect.poll(openMany(port, 50, '127.0.0.2'), settling).toBe(40)
    await expect.poll(openMany(port, 50, '127.0.0.3'), settling).toBe(20)
    for (const socket of sockets.splice(0)) socket.destroy()
    await expect.poll(async () => statuses(await said(port, GET + last))).toEqual([200])
  })

  it('of a trusted proxy are let in, as far as there is room', async () => {
    const port = await listening({ most: 60, mostOfAddress: 40 }, { TRUST_PROXY: '127.0.0.2' })
    await expect.poll(openMany(port, 80, '127.0.0.2'), settling).toBe(60)
  })
})
