/** The files of deploy/one-machine for nginx and Caddy, loaded into these programs. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { testFolder } from '#tests/support/test-folder.ts'
import { freePort } from '../support/free-port.ts'
import { type Nginx, nginxMissing, ONE_MACHINE, startNginx } from '../support/nginx.ts'

const CADDY = '/usr/bin/caddy'
const REQUEST_ID = /^[\da-f-]{32,36}$/
/** An import of products has at most 50 MB. */
const MAX_UPLOAD_BYTES = 50 * 2 ** 20

/** The addresses with the token of a preview, and the type of their answers while no shop is there. */
const PREVIEWS = {
  '/preview': 'text/html',
  '/preview.data': 'text/html',
  '/api/v1/product/preview': 'application/json',
}

const folder = testFolder()
let shop: Server
let target: string
/** The number of connections that the proxy has opened. */
let connections = 0

beforeAll(async () => {
  // answers with what has reached it
  shop = createServer(async (request, reply) => {
    let bytes = 0
    for await (const part of request) bytes += part.length
    const { url = '', headers } = request
    if (url.includes('breaks')) request.socket.destroy()
    if (url === '/long') reply.setHeader('link', 'x'.repeat(8000))
    if (url === '/compressed') reply.setHeader('content-encoding', 'gzip')
    const text = JSON.stringify({ url, headers, bytes })
    reply.setHeader('content-type', 'text/html')
    reply.end(url === '/compressed' ? gzipSync(text) : text)
  })
  shop.on('connection', () => {
    connections += 1
  })
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  target = `127.0.0.1:${Object(shop.address()).port}`
})
afterAll(async () => {
  shop.closeAllConnections()
  shop.close()
})

describe('nginx, with its file', () => {
  let nginx: Nginx
  beforeAll(async () => {
    if (!nginxMissing()) nginx = await startNginx([target])
  })
  afterAll(() => nginx?.stop())
  beforeEach(({ skip }) => {
    const missing = nginxMissing()
    if (missing) skip(missing)
  })

  const received = async (path: string, question?: Parameters<Nginx['ask']>[1]) =>
    JSON.parse((await nginx.ask(path, question)).text)

  it('tells the shop who asks, whatever the client claims', async () => {
    const claimed = { 'x-forwarded-for': '192.0.2.1', 'x-request-id': 'mine', traceparent: 'mine' }
    const { url, headers } = await received('/about?a=%20b', {
      headers: { ...claimed, 'x-forwarded-proto': 'http', 'x-forwarded-host': 'evil.example' },
    })
    expect(url).toBe('/about?a=%20b')
    expect(headers).toMatchObject({
      host: 'shop.example.com',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'shop.example.com',
      'x-forwarded-proto': 'https',
      'x-request-id': expect.stringMatching(REQUEST_ID),
    })
    expect(headers).not.toHaveProperty('traceparent')
  })

  it('publishes no health check', async () => {
    expect((await nginx.ask('/healthz')).status).toBe(404)
    expect((await nginx.ask('/readyz')).status).toBe(404)
  })

  it('keeps its connections to the shop', async () => {
    await nginx.ask('/')
    const before = connections
    for (let n = 0; n < 20; n += 1) await nginx.ask('/')
    // each of its two workers has its own
    expect(connections - before).toBeLessThanOrEqual(2)
  })

  it('leaves compression to the shop', async () => {
    const headers = { 'accept-encoding': 'gzip' }
    expect((await nginx.ask('/', { headers })).headers).not.toHaveProperty('content-encoding')
    const compressed = await nginx.ask('/compressed', { headers })
    expect(compressed.headers['content-encoding']).toBe('gzip')
  })

  it('passes the largest upload, and the longest headers of an answer', async () => {
    const body = 'x'.repeat(MAX_UPLOAD_BYTES)
    expect(await received('/import', { method: 'POST', body })).toMatchObject({
      bytes: MAX_UPLOAD_BYTES,
    })
    expect((await nginx.ask('/long')).headers.link).toHaveLength(8000)
  })

  it('sends visitors without TLS to the same address with it', async () => {
    const answer = await fetch(`${nginx.plainAddress}/search?q=cup`, {
      redirect: 'manual',
      headers: { host: 'shop.example.com' },
    })
    expect(answer.status).toBe(301)
    expect(answer.headers.get('location')).toMatch(/^https:\/\/[^/]+\/search\?q=cup$/)
  })

  it('logs the id of a request, and no query', async () => {
    const { headers } = await received('/reset-password?token=secret')
    await expect
      .poll(() => nginx.accessLog())
      .toMatch(new RegExp(` GET /reset-password 200 .* ${headers['x-request-id']}\\n`))
    expect(nginx.accessLog()).not.toContain('secret')
  })

  it('logs no token of a preview when the shop fails', async () => {
    for (const [path, type] of Object.entries(PREVIEWS)) {
      const { status, headers, text } = await nginx.ask(`${path}?token=secret&breaks`)
      expect([status, headers['content-type'], headers['retry-after']]).toEqual([503, type, '5'])
      expect(text).not.toContain('secret')
    }
    expect((await nginx.ask('/about?breaks')).status).toBe(503)
    await expect.poll(() => nginx.errorLog()).toContain('/about?breaks')
    expect(nginx.errorLog() + nginx.accessLog()).not.toContain('secret')
  })
})

it('nginx with its page cache shows what it has kept while no shop answers', async ({ skip }) => {
  const missing = nginxMissing()
  if (missing) skip(missing)
  let page = 0
  const busy = createServer(({ url }, reply) => {
    page += 1
    const policy = url === '/' ? 'public, max-age=0, s-maxage=1, must-revalidate' : 'no-store'
    reply.setHeader('cache-control', policy).end(String(page))
  })
  await once(busy.listen(0, '127.0.0.1'), 'listening')
  const nginx = await startNginx([`127.0.0.1:${Object(busy.address()).port}`], { keepsPages: true })
  const text = async (path: string, headers = {}) => (await nginx.ask(path, { headers })).text
  const kept = await text('/')
  const keptAt = performance.now()
  expect(await text('/', { authorization: 'token' })).not.toBe(kept)
  expect(await text('/account')).not.toBe(await text('/account'))
  busy.closeAllConnections()
  await new Promise((resolve) => busy.close(resolve))
  // it is kept for a second
  await expect.poll(() => performance.now() - keptAt, { timeout: 5000 }).toBeGreaterThan(2000)
  expect(await nginx.ask('/')).toMatchObject({ status: 200, text: kept })
  expect((await nginx.ask('/account')).status).toBe(503)
  await nginx.stop()
})

describe('Caddy, with its file', () => {
  const ask = (address: string, path = '/') =>
    fetch(address + path, {
      headers: { traceparent: 'mine', referer: `${address}/preview?token=secret` },
    }).then(
      async (answer) => ({ status: answer.status, text: await answer.text(), answer }),
      (error) => ({ status: String(error), text: '', answer: undefined }),
    )

  it('passes requests on, publishes no health check, and has an answer while no shop is there', async ({
    skip,
  }) => {
    if (!existsSync(CADDY)) skip('Caddy is not installed here.')
    const address = `http://127.0.0.1:${await freePort()}`
    const site = (await readFile(join(ONE_MACHINE, 'Caddyfile'), 'utf8'))
      .replace('shop.example.com {', `${address} {`)
      .replaceAll('127.0.0.1:3000', target)
      .replace('lb_try_duration 10s', 'lb_try_duration 1s')
      .replace('/var/www/haat', ONE_MACHINE)
    const file = join(folder, 'Caddyfile')
    await writeFile(file, site.replace('{\n', '{\n\tadmin off\n\tdebug\n'))
    const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
    const words = ['run', '--config', file, '--adapter', 'caddyfile']
    const caddy = spawn(CADDY, words, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    const ended = once(caddy, 'exit')
    let log = ''
    caddy.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
    try {
      await expect.poll(() => ask(address), { timeout: 20_000 }).toMatchObject({ status: 200 })
      const { url, headers } = JSON.parse((await ask(address, '/about')).text)
      expect(url).toBe('/about')
      expect(headers).toMatchObject({
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
        'x-request-id': expect.stringMatching(REQUEST_ID),
      })
      expect(headers).not.toHaveProperty('traceparent')
      expect((await ask(address, '/healthz')).status).toBe(404)
      expect((await ask(address, '/readyz')).status).toBe(404)
      shop.closeAllConnections()
      await new Promise((resolve) => shop.close(resolve))
      const asked = performance.now()
      const page = await ask(address, '/cart')
      // it has waited for the shop
      expect(performance.now() - asked).toBeGreaterThan(900)
      expect(page).toMatchObject({
        status: 503,
        text: expect.stringContaining('<h1>Back in a moment</h1>'),
      })
      expect(page.answer?.headers.get('retry-after')).toBe('5')
      const call = await ask(address, '/api/v1/category/get-category')
      expect(call.status).toBe(503)
      expect(JSON.parse(call.text)).toMatchObject({ success: false, code: 'unavailable' })
      for (const path of Object.keys(PREVIEWS))
        expect((await ask(address, `${path}?token=secret`)).status).toBe(503)
      for (const path of ['/cart', ...Object.keys(PREVIEWS)])
        await expect.poll(() => log).toContain(path)
      expect(log).not.toContain('secret')
    } finally {
      caddy.kill('SIGTERM')
      await ended
    }
  })
})
