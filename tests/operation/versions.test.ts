/** A version on the database of another: the start, the doctor, the restore and a new worker. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { VERSION } from '#db/releases/version.ts'
import type { Schema } from '#db/schema.ts'
import { unpackDatabase } from '../support/database-image.ts'
import { startPostgres } from '../support/postgres.ts'
import { startShopProcess } from '../support/shop-process.ts'
import { workersOf } from '../support/workers.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const NEWER = `The database was made by Haat 9.1.0, and needs Haat 9.0.0 or newer. This is Haat ${VERSION}.`
const REMEDY = 'Install Haat 9.1.0, or restore the backup that was made before the upgrade.'

/** Upgrades a database to a newer version, which older ones must not open. */
async function upgradeToNewer(db: Kysely<Schema>) {
  await sql`
    alter table kysely_migration add column if not exists sha256 text,
      add column if not exists version text`.execute(db)
  await sql`
    insert into kysely_migration (name, timestamp, version)
    values ('9000_future', now()::text, '9.1.0')`.execute(db)
  await sql`
    insert into shop_facts values ('oldest_version', '9.0.0')
    on conflict (key) do update set value = excluded.value`.execute(db)
}

async function run(words: string[], settings: Record<string, string>) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
    cwd: ROOT,
    env: { ...process.env, DATABASE_URL: '', DEMO: 'off', PORT: '0', ...settings },
  })
  const code = new Promise((resolve) => child.once('close', resolve))
  const written = await Promise.all([text(child.stdout), text(child.stderr)])
  return { written: written.join(''), code: await code }
}

describe('an older version', () => {
  let parent: string
  let dataDir: string
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'haat-versions-'))
    dataDir = await unpackDatabase()
    const { db, close } = await openDatabase({ dataDir })
    await upgradeToNewer(db)
    await close()
  })
  afterAll(async () => {
    await rm(parent, { recursive: true })
    await rm(dataDir, { recursive: true })
  })

  it('refuses to start, in one sentence', async () => {
    const { written, code } = await run(['bin/start.ts'], { DATA_DIR: dataDir })
    expect(code).toBe(1)
    const lines = written.trimEnd().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '').msg).toBe(`${NEWER} ${REMEDY}`)
  })

  it('says the same by its doctor', async () => {
    const { written, code } = await run(['bin/shop.ts', 'doctor'], { DATA_DIR: dataDir })
    expect(code).toBe(1)
    expect(written).toContain(`WRONG Migrations: ${NEWER}\n      ${REMEDY}\n`)
  })

  it('says the same when it restores a backup', async () => {
    const file = join(parent, 'newer.backup')
    const backup = await run(['bin/shop.ts', 'backup', file], { DATA_DIR: dataDir })
    expect(backup.code).toBe(0)
    const restored = join(parent, 'restored')
    const { written, code } = await run(['bin/shop.ts', 'restore', file], { DATA_DIR: restored })
    expect(code).toBe(1)
    expect(written).toBe(`${NEWER} ${REMEDY}\n`)
  })
})

it('a worker that is replaced after a newer version has migrated does not start', async ({
  skip,
}) => {
  const postgres = await startPostgres()
  if (!postgres) return skip('PostgreSQL is not installed here, and several processes need it.')
  const { db, close } = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
  await migrate(db)
  const settings = { DATABASE_URL: postgres.url, DEMO: 'off', WORKERS: '2', SANDBOX_SECRET: 's' }
  const shop = await startShopProcess(settings)
  try {
    await expect.poll(() => workersOf(shop).length).toBe(2)
    await upgradeToNewer(db)
    const [victim = 0] = workersOf(shop)
    process.kill(victim, 'SIGKILL')
    await expect.poll(() => shop.output(), { timeout: 30_000 }).toContain(`${NEWER} ${REMEDY}`)
  } finally {
    await shop.stop()
    await close()
    await postgres.stop()
  }
})
