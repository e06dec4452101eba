/** Code of an older release on a newer schema: it serves journeys, restarts included, or refuses. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openDatabase } from '#db/connect.ts'
import { fillShop } from '../releases/fill-shop.ts'
import { RELEASES } from '../releases/restore-dump.ts'
import { contradictionsIn } from '../support/consistency.ts'
import { unpackDatabase } from '../support/database-image.ts'
import { codeIn } from '../support/first-run.ts'
import { freePort } from '../support/free-port.ts'
import { startFakeRazorpay } from '../support/razorpay/fake-razorpay.ts'
import { startShopProcess } from '../support/shop-process.ts'

vi.setConfig({ testTimeout: 180_000 })

/** Long enough for a busy machine. */
const PATIENT = { timeout: 30_000 }
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** The commits of releases whose dumps were added later. */
const COMMITS: Record<string, string> = { '0.1.0': '96ab845c' }

let dataDir: string
beforeAll(async () => {
  dataDir = await unpackDatabase()
})
afterAll(() => rm(dataDir, { recursive: true }))

/** The first run, customers, purchases, statuses and refunds, and a restart between each two. */
async function serveJourneys(root: string) {
  const port = await freePort()
  const address = `http://127.0.0.1:${port}`
  const razorpay = await startFakeRazorpay(() => address)
  const settings = { DATA_DIR: dataDir, DEMO: 'off', PORT: String(port), LOG_LEVEL: 'info' }
  const start = () => startShopProcess({ ...settings, ...razorpay.liveSettings }, root)
  let shop = await start().catch(async (error) => {
    await razorpay.close()
    throw error
  })
  while (!shop.written().includes('Code of the first run')) await setTimeout(50)
  const restart = async () => {
    expect(await shop.stop()).toBe(0)
    shop = await start()
  }
  const code = await vi.waitFor(() => codeIn(shop.written()), PATIENT)
  const { orders } = await fillShop(address, code, razorpay, restart)
  expect(orders).toHaveLength(5)
  await shop.stop()
  await razorpay.close()
}

it('this version serves journeys on the schema of a later one that only adds to it', async () => {
  const { db, close } = await openDatabase({ dataDir })
  await sql`alter table orders add column colour text not null default 'red'`.execute(db)
  await sql`
    insert into kysely_migration (name, timestamp, version)
    values ('9000_colours', now()::text, '9.0.0')`.execute(db)
  await close()
  await serveJourneys(ROOT)
  const opened = await openDatabase({ dataDir })
  expect(await contradictionsIn(opened.db)).toEqual({})
  await opened.close()
})

const git = (...words: string[]) =>
  execFileSync('git', words, { cwd: ROOT, maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] })

/** The commit of a release added its dump. */
const commitOf = (version: string) =>
  COMMITS[version] ??
  git('log', '--diff-filter=A', '--format=%H', '--', `tests/releases/${version}/seen.json`)
    .toString()
    .trim()

/** Whether this clone has the release; a shallow one has none. */
function isHere(version: string): boolean {
  try {
    git('cat-file', '-e', `${commitOf(version)}^{commit}`)
    return true
  } catch {
    return false
  }
}

/** The files and packages of a release, with the pages of this version. */
async function checkOut(version: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'haat-release-'))
  execFileSync('tar', ['-x', '-C', folder], { input: git('archive', commitOf(version)) })
  const words = ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', words, { cwd: folder, stdio: 'ignore' })
  await symlink(join(ROOT, 'build'), join(folder, 'build'))
  return folder
}

it('the code of the previous release serves journeys on this schema, or is kept out of it', async ({
  skip,
}) => {
  const previous = RELEASES.filter(isHere).at(-1)
  if (!previous) return skip('This clone has no commit of a release.')
  await rm(dataDir, { recursive: true })
  dataDir = await unpackDatabase()
  const { db, close } = await openDatabase({ dataDir })
  const { rows } = await sql<{ value: string }>`
    select value from shop_facts where key = 'oldest_version'`.execute(db)
  await close()
  const oldest = rows[0]?.value ?? '0'
  const root = await checkOut(previous)
  if (oldest.localeCompare(previous, 'en', { numeric: true }) <= 0) await serveJourneys(root)
  // 0.1.0 knows no versions, only that it misses a migration
  else
    await expect(serveJourneys(root)).rejects.toThrow(/ended with 1[\s\S]*(needs Haat|is missing)/)
  await rm(root, { recursive: true })
})
