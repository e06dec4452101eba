/** The files that deploy/cluster/install writes, as production has them: the cluster of tests changes some lines. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { testFolder } from '#tests/support/test-folder.ts'
import { until } from '../cluster/until.ts'

const INSTALL = fileURLToPath(new URL('../../deploy/cluster/install', import.meta.url))
const VALUES = fileURLToPath(new URL('../../deploy/cluster/cluster.env', import.meta.url))
const CERTIFICATE = [
  'req',
  '-x509',
  '-newkey',
  'rsa:2048',
  '-nodes',
  '-subj',
  '/CN=shop.example.com',
]
const programs = ['haproxy', 'nft', 'envsubst', 'openssl', 'curl'].filter(
  (name) => globSync(`/{usr/,}{s,}bin/${name}`).length === 0,
)
const test = it.skipIf(programs.length > 0)

const folder = testFolder()

/** Installs a machine below a folder of its own; returns its root, and what `install` has printed. */
async function install(machine: string, root?: string) {
  const place = root ?? (await mkdtemp(join(folder, `${machine}-`)))
  const env = { ...process.env, ROOT: place, VALUES }
  return { root: place, printed: execFileSync(INSTALL, [machine], { env, encoding: 'utf8' }) }
}

/** The configuration of a machine's HAProxy, with the path of the certificate replaced by that of one. */
async function haproxyFile(machine: string): Promise<string> {
  const { root } = await install(machine)
  const etc = join(root, 'etc/haproxy')
  const file = join(etc, 'haproxy.cfg')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('crt /etc/haproxy', `crt ${etc}`))
  const pem = join(etc, 'shop.pem')
  execFileSync('openssl', [...CERTIFICATE, '-keyout', pem, '-out', `${pem}.crt`], { stdio: 'pipe' })
  await writeFile(pem, (await readFile(pem, 'utf8')) + (await readFile(`${pem}.crt`, 'utf8')))
  return file
}

for (const machine of ['front', 'shop1'])
  test(`writes a configuration for ${machine} that HAProxy accepts`, async () => {
    const file = await haproxyFile(machine)
    const { status, stderr } = spawnSync('/usr/sbin/haproxy', ['-c', '-f', file], {
      encoding: 'utf8',
    })
    expect(stderr).not.toMatch(/ALERT|WARNING/)
    expect(status).toBe(0)
  })

test('answers scripts with JSON and people with a page while no shop answers', async () => {
  const file = await haproxyFile('front')
  const socket = join(folder, 'front.sock')
  const text = (await readFile(file, 'utf8'))
    .replace(/bind :80.*/, `bind ${socket}.http mode 600`)
    .replace(/bind :443.*/, `bind ${socket} mode 600`)
    .replaceAll(/10\.0\.0\.2\d:3000/g, '127.0.0.1:1')
    .replaceAll(/^ {2}(user|group) haproxy\n/gm, '')
  await writeFile(file, text)
  const haproxy = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  const ask = (path: string) =>
    execFileSync('curl', ['-si', '--unix-socket', socket, `http://shop${path}`], {
      encoding: 'utf8',
    })
  try {
    await until('HAProxy does not listen', () => existsSync(socket))
    const [head, body = ''] = ask('/api/v1/product').split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1.1 503 .*retry-after: 5.*content-type: application\/json/s)
    expect(JSON.parse(body)).toMatchObject({ success: false, code: 'unavailable' })
    expect(ask('/')).toMatch(/^HTTP\/1.1 503 .*content-type: text\/html.*<h1>/s)
  } finally {
    haproxy.kill()
  }
})

test('adds a firewall of its own beside that of the operator, once', async ({ skip }) => {
  if (process.getuid?.() !== 0) skip('nft needs root.')
  const { root } = await install('db1')
  const main = join(root, 'etc/nftables.conf')
  await writeFile(main, '# the operator’s own\n')
  await install('db1', root)
  await install('db1', root)
  const include = 'include "/etc/nftables.d/haat.nft"'
  expect(await readFile(main, 'utf8')).toBe(`# the operator’s own\n\n${include}\n`)
  const own = join(root, 'etc/nftables.d/haat.nft')
  expect(spawnSync('/usr/sbin/nft', ['-c', '-f', own], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  })
})

test('leaves the settings of a shop that has some', async () => {
  const { root } = await install('shop1')
  const env = join(root, 'srv/haat/.env')
  expect(await readFile(env, 'utf8')).toContain('PGBOUNCER=transaction')
  await writeFile(env, 'SHOP_URL=https://shop.example.com\n')
  const { printed } = await install('shop1', root)
  expect(printed).toContain('/srv/haat/.env is left as it is')
  expect(await readFile(env, 'utf8')).toBe('SHOP_URL=https://shop.example.com\n')
  expect(await readFile(`${env}.cluster`, 'utf8')).toContain('PGBOUNCER=transaction')
})

test('installs no password that everybody knows', async () => {
  const { status, stderr } = spawnSync(INSTALL, ['nowhere'], {
    env: { ...process.env, ROOT: '', VALUES },
    encoding: 'utf8',
  })
  expect(stderr).toContain('Change every password')
  expect(status).toBe(1)
})
