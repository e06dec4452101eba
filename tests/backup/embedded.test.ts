/** Backup and restore of the embedded database. */
import { createWriteStream, lstatSync, readdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '#db/connect.ts'
import { hasPgdata } from '#db/data-folder.ts'
import { restoreEmbedded } from '#db/embedded.ts'
import { migrate } from '#db/migrate.ts'
import { callShop, openOwnerSocket } from '#server/owner/socket.ts'
import { testFolder } from '#tests/support/test-folder.ts'
import { contradictionsIn } from '../support/consistency.ts'
import { unpackDatabase } from '../support/database-image.ts'
import { shopOn } from '../support/shop.ts'
import { buyCup, openBusyShop, orderIds } from './busy-shop.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const OTHERS = 0o077

const parent = testFolder()
/** A backup taken while the shop sold, and the orders that buyers had received by then. */
let backup: string
let known: string[]
beforeAll(async () => {
  backup = join(parent, 'shop.tar.gz')
  const dataDir = await unpackDatabase()
  const opened = await openDatabase({ dataDir })
  await migrate(opened.db)
  const closeSocket = await openOwnerSocket(opened, dataDir)
  const shop = await openBusyShop(opened.db)
  await vi.waitUntil(() => shop.orders.length > 10, { timeout: 60_000 })
  known = [...shop.orders]
  await pipeline(
    await callShop(dataDir, 'backup', {}, Readable.from([])),
    createWriteStream(backup),
  )
  await vi.waitUntil(() => shop.orders.length > known.length + 2, { timeout: 60_000 })
  await shop.close()
  await closeSocket()
  await opened.close()
  await rm(dataDir, { recursive: true })
})

describe('a backup of a running shop', () => {
  let folder: string
  beforeAll(async () => {
    folder = join(parent, 'restored')
    await restoreEmbedded(folder, backup)
  })

  it('restores with every order that a buyer was told of, and nobody signed in, and goes on selling', async () => {
    const { db, close } = await openDatabase({ dataDir: folder })
    expect(await orderIds(db)).toEqual(expect.arrayContaining(known))
    expect(await contradictionsIn(db)).toEqual({})
    expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([])
    const photos = await db.selectFrom('pictures').selectAll().execute()
    expect(photos).toHaveLength(6)
    for (const { bytes, width, format } of photos) expect(`${bytes}`).toBe(`v1 ${width} ${format}`)
    await migrate(db)
    const shop = await shopOn(db)
    const order = await buyCup(shop)
    expect(await orderIds(db)).toContain(order)
    await shop.app.close()
    await close()
  })

  it('is private to the owner where it is restored', () => {
    const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, `${name}`))
    expect(files.length).toBeGreaterThan(900)
    expect(files.filter((path) => lstatSync(path).mode & OTHERS)).toEqual([])
  })

  it('is not restored where there is a shop, running or not', async () => {
    await expect(restoreEmbedded(folder, backup)).rejects.toThrow(
      /^The folder .* already contains a shop/,
    )
    const { db, close } = await openDatabase({ dataDir: folder })
    const orders = await orderIds(db)
    await expect(restoreEmbedded(folder, backup)).rejects.toThrow(/^Another process is using/)
    expect(await orderIds(db)).toEqual(orders)
    await close()
  })
})

describe('a file that is no backup is refused, and nothing is left of it:', () => {
  /** The length of the checksum and the size at the end of a gzip file. */
  const TRAILER = 8

  /** Changed after decompression: a bit of the compressed file may mean the same, as in a run of zeros. */
  const changed = async () => {
    const whole = await readFile(backup)
    const content = gunzipSync(whole)
    const middle = content.length >> 1
    content.writeUInt8(content.readUInt8(middle) ^ 0x10, middle)
    const packed = gzipSync(content, { level: 1 })
    return Buffer.concat([packed.subarray(0, -TRAILER), whole.subarray(-TRAILER)])
  }
  it.each<[string, () => Promise<Buffer | string>]>([
    ['a text', async () => 'hello'],
    ['nothing', async () => ''],
    ['a compressed text', async () => gzipSync('hello')],
    ['a backup that is cut short', async () => (await readFile(backup)).subarray(0, 1_000_000)],
    ['a backup with a bit that has changed', changed],
  ])('%s', async (_what, bytes) => {
    const file = join(parent, 'wrong')
    await writeFile(file, await bytes())
    const folder = await mkdtemp(join(parent, 'empty-'))
    await expect(restoreEmbedded(folder, file)).rejects.toThrow(
      `${file} is not a backup of an embedded shop, or it is damaged. Nothing was changed.`,
    )
    expect(hasPgdata(folder)).toBe(false)
    expect(readdirSync(folder).filter((name) => name.startsWith('pgdata'))).toEqual([])
  })
})
