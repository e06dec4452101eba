/** A full disk, on which the database still answers but stores nothing. */
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { FORGETFUL, startPostgres } from '../support/postgres.ts'
import { mountSmallDisk } from '../support/small-disk.ts'

const DISK_MB = 160
const NO_DISK = 'A small disk cannot be mounted here.'

const cleanups: (() => Promise<unknown> | undefined)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** A small disk that is unmounted after the test; null where none can be mounted. */
async function openDisk() {
  const disk = await mountSmallDisk(DISK_MB)
  if (disk) cleanups.push(disk.unmount)
  return disk
}

/** The readiness of a shop on this database: the status, and why it is not ready. */
async function openReadiness(opened: OpenDatabase) {
  cleanups.push(opened.close)
  await migrate(opened.db)
  const config = readConfig({ SANDBOX_SECRET: 'test-secret' })
  const app = await createApp({ config, db: opened.db, logger: false })
  cleanups.push(() => app.close())
  return async () => {
    const reply = await app.inject('/readyz')
    return { status: reply.statusCode, message: reply.json().message }
  }
}

const READY = { status: 200 }
const FULL = { status: 503, message: 'The disk of the database is full.' }
const SOON = { timeout: 20_000 }

describe('/readyz on a full disk', () => {
  it('answers 503 until space is freed, with the embedded database', async ({ skip }) => {
    const disk = await openDisk()
    if (!disk) return skip(NO_DISK)
    const readiness = await openReadiness(
      await openDatabase({ dataDir: join(disk.folder, 'data') }),
    )
    expect(await readiness()).toEqual(READY)
    const free = await disk.fill()
    await expect.poll(readiness, SOON).toEqual(FULL)
    await free()
    await expect.poll(readiness, SOON).toEqual(READY)
  })

  it('answers 503 until space is freed, on PostgreSQL', async ({ skip }) => {
    const disk = await openDisk()
    if (!disk) return skip(NO_DISK)
    const postgres = await startPostgres(FORGETFUL, disk.folder)
    if (!postgres) return skip('PostgreSQL is not installed here.')
    cleanups.push(postgres.stop)
    const readiness = await openReadiness(
      await openDatabase({ databaseUrl: postgres.url, dataDir: '' }),
    )
    expect(await readiness()).toEqual(READY)
    const free = await disk.fill()
    await expect.poll(readiness, SOON).toEqual(FULL)
    await free()
    await expect.poll(readiness, SOON).toEqual(READY)
  })
})
