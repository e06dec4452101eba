/**
 * `node tools/dump-release.ts [CHECKOUT]`: starts the shop of a checkout of a release, with its
 * packages installed, fills it by HTTP, and writes its database and what is seen of it to
 * tests/releases/VERSION. Without CHECKOUT it is this one.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { pgDump } from '@electric-sql/pglite-tools/pg_dump'
import { openEmbedded } from '#db/embedded.ts'
import { fillShop } from '#tests/releases/fill-shop.ts'
import { lookAround, type Read } from '#tests/releases/look.ts'
import { codeIn } from '#tests/support/first-run.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startFakeRazorpay } from '#tests/support/razorpay/fake-razorpay.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'

const PG_DUMP_OPTIONS = ['--no-owner', '--no-privileges', '--no-comments']

async function dump(dataDir: string): Promise<string> {
  const { pglite, close } = await openEmbedded(dataDir)
  const file = await pgDump({ pg: pglite, args: PG_DUMP_OPTIONS })
  const text = await file.text()
  await close()
  // unknown to PostgreSQL before version 17
  return text.replace(/^SET transaction_timeout = .*$/m, '')
}

const readerOf =
  (address: string): Read =>
  async (method, path, { body, token = '' } = {}) => {
    const reply = await fetch(`${address}/api/v1${path}`, {
      method,
      headers: { authorization: token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await reply.arrayBuffer())
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${bytes}`)
    return bytes
  }

const root = process.argv[2] ?? fileURLToPath(new URL('../', import.meta.url))
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
const folder = fileURLToPath(new URL(`../tests/releases/${version}/`, import.meta.url))
if (existsSync(folder)) {
  console.error(`There is a dump of ${version} already: set the new version in package.json first.`)
  process.exit(1)
}
const dataDir = await mkdtemp(join(tmpdir(), 'haat-dump-'))
const port = await freePort()
const address = `http://127.0.0.1:${port}`
const razorpay = await startFakeRazorpay(() => address)
const settings = { DATA_DIR: dataDir, DEMO: 'off', PORT: String(port), LOG_LEVEL: 'info' }
const shop = await startShopProcess({ ...settings, ...razorpay.liveSettings }, root)
while (!shop.written().includes('Code of the first run')) await setTimeout(50)
await fillShop(address, codeIn(shop.written()), razorpay)
const seen = await lookAround(readerOf(address))
await shop.stop()
await razorpay.close()
await mkdir(folder)
const sql = gzipSync(await dump(dataDir), { level: 9 })
await writeFile(join(folder, 'database.sql.gz'), sql)
await writeFile(join(folder, 'seen.json'), `${JSON.stringify(seen, null, 1)}\n`)
await rm(dataDir, { recursive: true })
console.log(`${folder}: ${sql.length} bytes of SQL, ${Object.keys(seen).length} answers.`)
