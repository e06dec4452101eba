/**
 * The first start: pages are built, the demo is loaded, and its photos are made while the shop is
 * open.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { appendFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, it, vi } from 'vitest'
import { testFolder } from '#tests/support/test-folder.ts'
import { childrenOf } from '../support/children-of.ts'
import { copyCheckout } from '../support/copy-checkout.ts'
import { unpackDatabase } from '../support/database-image.ts'
import { plainLines } from '../support/plain-lines.ts'
import { startShopProcess, whenPhotosAreMade } from '../support/shop-process.ts'

// building pages and creating a database takes a busy machine minutes
vi.setConfig({ testTimeout: 300_000 })

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const folder = testFolder()
const clone = join(folder, 'clone')
const client = join(clone, 'build/client')
beforeAll(async () => {
  await copyCheckout(clone)
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
})

/** Whether there is such a process, which is no zombie. */
const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))

/** The files that were compressed in advance. */
const compressed = () => globSync('**/*.{br,gz}', { cwd: client }).map((path) => join(client, path))

function isWhole(path: string) {
  const unzip = path.endsWith('.br') ? brotliDecompressSync : gunzipSync
  return unzip(readFileSync(path)).equals(readFileSync(path.slice(0, -3)))
}

/** Starts the clone like `npm start`, on an embedded database without the demo. */
function start(data: string) {
  const settings = { DATA_DIR: join(folder, data), DATABASE_URL: '', DEMO: 'off', PORT: '0' }
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'bin/start.ts'], {
    cwd: clone,
    env: { ...process.env, ...settings, NODE_ENV: 'production', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

it.skipIf(process.platform !== 'linux')(
  'leaves no process when it is killed; the test after this one starts on the same folder',
  async () => {
    const shop = start('quiet')
    const ended = once(shop, 'close')
    // the build, and the creation of the database
    const children = () => childrenOf(shop.pid ?? 0)
    await expect.poll(() => children().length, { timeout: 60_000 }).toBe(2)
    const pids = children()
    shop.kill('SIGKILL')
    await expect.poll(() => pids.filter(isRunning), { timeout: 60_000 }).toEqual([])
    await ended
    // it was ended before it was done
    expect(existsSync(join(clone, 'build'))).toBe(false)
  },
)

it('says that the pages are built, where the shop is, and that nobody can pay yet', async () => {
  const shop = start('quiet')
  let said = ''
  const open = Promise.withResolvers<void>()
  for (const stream of [shop.stdout, shop.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk
      if (/Code of the first run: \S+\n/.test(said)) open.resolve()
    })
  }
  shop.once('exit', () => open.reject(new Error(said)))
  await open.promise
  const lines = said
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ level }) => level)).toEqual(Array(5).fill(30))
  expect(lines.map(({ msg }) => msg)).toEqual([
    'Building the pages, once …',
    expect.stringMatching(/^Haat is open at http:\/\/\S+ \(Haat \d+\.\d+\.\d+\)$/),
    expect.stringMatching(/^Payments are not set up: nobody can buy\. Set /),
    expect.stringMatching(/^The shop has no admin yet\. Set it up at http:\S+\/first-run$/),
    expect.stringMatching(/^Code of the first run: ([0-9A-Z]{4}-){3}[0-9A-Z]{4}$/),
  ])
  const [, address = ''] = / (http:\S+)/.exec(said) ?? []
  const page = await fetch(address)
  const html = await page.text()
  expect([page.status, html]).toEqual([200, expect.stringContaining('</html>')])

  // compressed when it is requested, until it is compressed in advance
  const [script = ''] = /\/assets\/vendor-\S+?\.js/.exec(html) ?? []
  const bytes = await (await fetch(address + script)).text()
  expect(bytes).toBe(readFileSync(join(client, script), 'utf8'))
  const [, opened] = lines
  await expect.poll(() => compressed().length, { timeout: 60_000 }).toBeGreaterThan(0)
  const early = compressed().filter((path) => statSync(path).mtimeMs < opened.time)
  expect(early).toEqual([])

  const ended = once(shop, 'exit')
  shop.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

it('has no half-written asset when compression is killed, and goes on with it at the next start', async () => {
  const done = join(client, '.compressed')
  await Promise.all([...compressed(), done].map((path) => rm(path, { force: true })))
  const killed = spawn(process.execPath, ['bin/compress-assets.ts'], { cwd: clone })
  await expect.poll(() => compressed().length, { timeout: 60_000, interval: 1 }).toBeGreaterThan(0)
  killed.kill('SIGKILL')
  await once(killed, 'close')
  const some = compressed()
  expect(some.filter((path) => !isWhole(path))).toEqual([])
  expect(existsSync(done)).toBe(false)

  const shop = start('quiet')
  await expect.poll(() => existsSync(done), { timeout: 60_000 }).toBe(true)
  const all = compressed()
  expect(all.length).toBeGreaterThan(some.length)
  expect(all.filter((path) => !isWhole(path))).toEqual([])
  shop.kill('SIGKILL')
  await once(shop, 'exit')
})

it('says all that the bundler said when the pages cannot be built, and ends', async () => {
  await appendFile(join(clone, 'app/root.tsx'), "\nimport './nowhere.ts'\n")
  const shop = start('broken')
  const ended = once(shop, 'close')
  const [out, error] = await Promise.all([text(shop.stdout), text(shop.stderr)])
  expect(await ended).toEqual([1, null])
  expect(plainLines(out)).toBe('Building the pages, once …\n')
  expect(plainLines(error)).toMatch(/nowhere\.ts[\s\S]*\nThe pages could not be built\.\n$/)
})

it('opens the demo before its photos are made, and goes on where it was ended', async () => {
  const settings = { DATA_DIR: await unpackDatabase(), DEMO: 'on' }
  const photosIn = async (address: string) => {
    const page = await fetch(address)
    expect(page.status).toBe(200)
    const addresses = (await page.text()).match(/\/product-photo\/[^"\s]+\?w=\d+(&amp;v=\w+)?/g)
    return (addresses ?? []).map((one) => one.replace('&amp;', '&'))
  }
  const first = await startShopProcess(settings)
  const early = await photosIn(first.address)
  expect(early.length).toBeGreaterThan(0)
  expect(early.filter((one) => one.includes('&v='))).toEqual([])
  const placeholder = await fetch(`${first.address}/api/v1/product${early[0]}`)
  expect([placeholder.status, placeholder.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
  await first.kill()

  const second = await startShopProcess(settings)
  expect(await second.stop()).toBe(0)
  expect(second.output()).not.toMatch(/"level":[56]0/)

  const third = await startShopProcess(settings)
  // cached, until the first photos are made
  await photosIn(third.address)
  await whenPhotosAreMade(third)
  await expect
    .poll(async () => (await photosIn(third.address)).filter((one) => !one.includes('&v=')), {
      timeout: 10_000,
    })
    .toEqual([])
  expect(await third.stop()).toBe(0)
  await rm(settings.DATA_DIR, { recursive: true })
})
