import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
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
      response.writeHead(status, { location: 'https://elsewhere.example.com' }).end(text)
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

  it.each([
    [200, '{"proof":"0000"}', 'something answers at'],
    [200, 'a secret page of the network', 'something answers at'],
    [302, 'a secret page of the network', 'leads to another address'],
  ])('says what else is there, and shows nothing of it: %i %s', async (status, text, found) => {
    await listen(async () => [status, text])
    const findings = await test('address')
    expect(findings).toMatchObject([{ state: 'problem', found: expect.stringContaining(found) }])
    expect(JSON.stringify(findings)).not.toMatch(/secret page|elsewhere/)
  })

  it('says that nothing answers', async () => {
    await save('address', { address: 'http://127.0.0.1:1' })
    expect(await test('address')).toMatchObject([
      { state: 'problem', found: expect.stringMatching(/nothing answers there|connection breaks/) },
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
