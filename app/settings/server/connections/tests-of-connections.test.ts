import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { ConnectionName } from '#app/settings/connection-contract.ts'
import { ADDRESS, connectableShop } from '#tests/support/connections.ts'

const { shop, admin, through, smtp, keys, mail } = await connectableShop()
const save: ReturnType<typeof through>['save'] = (...sent) => through(shop).save(...sent)
const test = (name: ConnectionName) => through(shop).test(name)

describe('POST /settings/connections/:name/test', () => {
  /** A server at the address, or in the place of one. */
  let site: Server
  const listen = async (answer: (path: string) => Promise<[status: number, text: string]>) => {
    site = createServer(async (request, response) => {
      const [status, text] = await answer(request.url ?? '')
      response.writeHead(status).end(text)
    })
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    await save('address', { address: `http://127.0.0.1:${(site.address() as AddressInfo).port}` })
  }
  afterEach(() => site?.close())

  it('finds this shop at its address', async () => {
    await listen(async (url) => {
      const reply = await shop.app.inject({ url })
      return [reply.statusCode, reply.body]
    })
    expect(await test('address')).toMatchObject([{ state: 'ok' }])
  })

  /** What a server sends instead of the proof; null: it closes the connection. */
  const STRANGERS: [what: string, answers: string | null][] = [
    ['another proof', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{"proof":"0000"}'],
    ['a page', 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\na secret page'],
    ['a failure', 'HTTP/1.1 500 No\r\nconnection: close\r\n\r\na secret page'],
    [
      'a redirect',
      'HTTP/1.1 302 Found\r\nlocation: https://elsewhere.example.com\r\ncontent-length: 0\r\n\r\n',
    ],
    ['a database', 'E\0secret\0'],
    ['no byte', null],
    ['silence', ''],
    ['half an answer', 'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\nsecret'],
    ['TLS that is none', 'HTTP/1.1 400 Bad\r\n\r\n'],
    ['TLS that closes', null],
  ]

  /** The finding of a test whose time ends when the test calls; and that nothing was told before. */
  async function foundAt(address: string, isAsked: Promise<unknown>) {
    await save('address', { address })
    const time = new AbortController()
    const clock = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal)
    const order: string[] = []
    const testing = test('address').then(([finding]) => {
      order.push('finding')
      return finding
    })
    await isAsked
    for (let n = 0; n < 5; n += 1) await through(shop).list()
    order.push('time')
    time.abort()
    const finding = await testing
    clock.mockRestore()
    expect(order).toEqual(['time', 'finding'])
    return JSON.stringify(finding).replaceAll(address, 'ADDRESS')
  }

  it('tells failures of the address by one sentence and at one time', async () => {
    const closed = createTcpServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    await new Promise((done) => closed.close(done))
    const nothing = await foundAt(`http://127.0.0.1:${port}`, Promise.resolve())
    expect(nothing).toContain('this shop does not answer at ADDRESS')
    for (const [what, answers] of STRANGERS) {
      const stranger = createTcpServer((socket) => {
        socket.on('error', () => {})
        if (answers === null) socket.destroy()
        else socket.once('data', () => socket.write(answers))
      }).listen(0, '127.0.0.1')
      await once(stranger, 'listening')
      const scheme = what.startsWith('TLS') ? 'https' : 'http'
      const at = `${scheme}://127.0.0.1:${(stranger.address() as AddressInfo).port}`
      expect(await foundAt(at, once(stranger, 'connection')), what).toBe(nothing)
      stranger.close()
    }
  })

  it('says that there is no server of this name', async () => {
    await save('address', { address: 'https://shop.invalid' })
    expect(await test('address')).toMatchObject([
      { state: 'problem', found: expect.stringMatching(/no server of this name|looked up/) },
    ])
  })

  it('sends an e-mail to the admin', async () => {
    await save('address', ADDRESS)
    await save('email', mail)
    expect(await test('email')).toMatchObject([{ state: 'ok' }])
    expect(smtp.received.at(-1)).toMatchObject({ to: admin().email })
  })

  it('says in plain words what is wrong with the SMTP server, and none of its own', async () => {
    await save('address', ADDRESS)
    await save('email', mail)
    smtp.behaviour = { message: () => ({ code: 554, text: 'secret words of the server' }) }
    expect(await test('email')).toMatchObject([
      { state: 'problem', found: '127.0.0.1: it refuses the message' },
    ])
    smtp.behaviour = {}
    await save('email', { ...mail, port: '1' })
    expect(await test('email')).toMatchObject([
      { state: 'problem', found: '127.0.0.1: nothing answers at this port' },
    ])
    await listen(async () => [200, 'a secret page of the network'])
    await save('email', { ...mail, port: String((site.address() as AddressInfo).port) })
    const findings = await test('email')
    expect(findings).toMatchObject([{ state: 'problem' }])
    expect(JSON.stringify(findings)).not.toContain('secret')
  })

  it('asks the provider about the keys', async () => {
    expect(await test('payments')).toMatchObject([{ state: 'problem' }])
    await save('payments', keys)
    expect(await test('payments')).toContainEqual({
      state: 'ok',
      about: 'Payments',
      found: 'Razorpay knows the test keys',
    })
  })
})
