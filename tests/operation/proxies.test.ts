/** The files of docs/operations.md for nginx and Caddy, loaded into these programs. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../support/free-port.ts'

const DOCUMENT = fileURLToPath(new URL('../../docs/operations.md', import.meta.url))
const PROGRAMS = { nginx: '/usr/sbin/nginx', caddy: '/usr/bin/caddy' }

let folder: string
let shop: Server
let target: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haat-proxies-'))
  shop = createServer(({ headers, url }, reply) => {
    reply.end(JSON.stringify({ url, id: headers['x-request-id'] }))
  }).listen(0, '127.0.0.1')
  await once(shop, 'listening')
  target = `127.0.0.1:${Object(shop.address()).port}`
})
afterAll(async () => {
  shop.close()
  await rm(folder, { recursive: true })
})

/** The block of the document that contains the text, with the address of this shop. */
async function documented(containing: string): Promise<string> {
  const document = await readFile(DOCUMENT, 'utf8')
  const blocks = [...document.matchAll(/```\w*\n([^`]*)```/g)].map(([, block = '']) => block)
  const block = blocks.find((one) => one.includes(containing)) ?? ''
  return block.replaceAll('127.0.0.1:3000', target)
}

async function status(url: string): Promise<number | string> {
  return fetch(url).then(
    (answer) => answer.status,
    (error) => String(error),
  )
}

/** What the proxy answers, once it is open; ends it then. */
async function tryProxy(proxy: ChildProcess, address: string) {
  const ended = once(proxy, 'exit')
  try {
    await expect.poll(() => status(`${address}/`), { timeout: 20_000 }).toBe(200)
    const page = await (await fetch(`${address}/about`)).json()
    expect(page).toEqual({ url: '/about', id: expect.stringMatching(/^[\da-f-]{32,36}$/) })
    expect(await status(`${address}/healthz`)).toBe(404)
    expect(await status(`${address}/readyz`)).toBe(404)
  } finally {
    proxy.kill('SIGTERM')
    await ended
  }
}

it('nginx loads its file, passes requests on, and publishes no health check', async ({ skip }) => {
  if (!existsSync(PROGRAMS.nginx)) skip('nginx is not installed here.')
  const port = await freePort()
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=shop.example.com', '-keyout', key, '-out', certificate]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], {
    stdio: 'ignore',
  })
  const site = (await documented('proxy_pass'))
    .replace(
      'listen 443 ssl',
      `listen 127.0.0.1:${port};\n  listen 127.0.0.1:${await freePort()} ssl`,
    )
    .replace(/ssl_certificate \S+;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key \S+;/, `ssl_certificate_key ${key};`)
  const file = join(folder, 'nginx.conf')
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const places = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join(' ')
  const main = `daemon off; pid ${join(folder, 'nginx.pid')}; error_log stderr; events {}`
  await writeFile(file, `${main} http { access_log off; ${places}\n${site} }`)
  const nginx = spawn(PROGRAMS.nginx, ['-c', file, '-p', folder], { stdio: 'ignore' })
  await tryProxy(nginx, `http://127.0.0.1:${port}`)
})

it('Caddy loads its file, passes requests on, and publishes no health check', async ({ skip }) => {
  if (!existsSync(PROGRAMS.caddy)) skip('Caddy is not installed here.')
  const address = `http://127.0.0.1:${await freePort()}`
  const site = (await documented('reverse_proxy')).replace('shop.example.com {', `${address} {`)
  const file = join(folder, 'Caddyfile')
  await writeFile(file, `{\n  admin off\n}\n${site}`)
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const words = ['run', '--config', file, '--adapter', 'caddyfile']
  await tryProxy(spawn(PROGRAMS.caddy, words, { env, stdio: 'ignore' }), address)
})
