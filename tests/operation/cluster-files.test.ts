/** The files that deploy/cluster/install writes, as production has them: the cluster of tests changes some lines. */
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'

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
const programs = ['haproxy', 'nft', 'envsubst', 'openssl'].filter(
  (name) => globSync(`/{usr/,}{s,}bin/${name}`).length === 0,
)
const test = it.skipIf(programs.length > 0)

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haat-cluster-files-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Installs a machine below a folder of its own; returns its root, and what `install` has printed. */
async function install(machine: string, root?: string) {
  const place = root ?? (await mkdtemp(join(folder, `${machine}-`)))
  const env = { ...process.env, ROOT: place, VALUES }
  return { root: place, printed: execFileSync(INSTALL, [machine], { env, encoding: 'utf8' }) }
}

for (const machine of ['front', 'shop1'])
  test(`writes a configuration for ${machine} that HAProxy accepts`, async () => {
    const { root } = await install(machine)
    const etc = join(root, 'etc/haproxy')
    const file = join(etc, 'haproxy.cfg')
    const text = await readFile(file, 'utf8')
    const paths = /(?<=\bcrt )\/etc\/haproxy/g
    await writeFile(file, text.replaceAll(paths, etc))
    const pem = join(etc, 'shop.pem')
    execFileSync('openssl', [...CERTIFICATE, '-keyout', pem, '-out', `${pem}.crt`], {
      stdio: 'pipe',
    })
    await writeFile(pem, (await readFile(pem, 'utf8')) + (await readFile(`${pem}.crt`, 'utf8')))
    const { status, stderr } = spawnSync('/usr/sbin/haproxy', ['-c', '-f', file], {
      encoding: 'utf8',
    })
    expect(stderr).not.toMatch(/ALERT|WARNING/)
    expect(status).toBe(0)
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
