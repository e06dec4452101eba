import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  rmdirSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restoreBackup } from '#db/backup/restore-backup.ts'
import { writeBackup } from '#db/backup/write-backup.ts'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { guestOf } from '#db/door.ts'
import { migrate } from '#db/migrate.ts'
import { addCategory, addPhoto, addProduct } from '../support/catalogue.ts'
import { unpackDatabase } from '../support/database-image.ts'
import { shopOn } from '../support/shop.ts'

let dataDir: string
let shop: OpenDatabase
let guest: OpenDatabase
beforeAll(async () => {
  dataDir = await unpackDatabase()
  shop = await openDatabase({ dataDir })
  await migrate(shop.db)
  await shop.openDoor()
  guest = await openDatabase({ dataDir, throughDoor: true })
})
afterAll(async () => {
  await guest.close()
  await shop.close()
  await rm(dataDir, { recursive: true })
})

const namesIn = async ({ db }: OpenDatabase) =>
  (await db.selectFrom('categories').select('name').orderBy('name').execute()).map(
    ({ name }) => name,
  )

describe('the door of a running shop', () => {
  it('is in a folder that only the owner may enter', () => {
    expect(statSync(join(dataDir, 'door')).mode & 0o777).toBe(0o700)
  })

  it('lets a command read and write what the shop has', async () => {
    await addCategory(guest.db, 'From the guest')
    await addCategory(shop.db, 'From the shop')
    expect(await namesIn(shop)).toEqual(['From the guest', 'From the shop'])
    expect(await namesIn(guest)).toEqual(['From the guest', 'From the shop'])
    await migrate(guest.db)
  })

  it('tells why a statement is refused, and goes on', async () => {
    const again = addCategory(guest.db, 'Twice').then(() => addCategory(guest.db, 'Twice'))
    await expect(again).rejects.toMatchObject({ code: '23505' })
    await expect(sql`nonsense`.execute(guest.db)).rejects.toMatchObject({ code: '42601' })
    expect(await namesIn(guest)).toContain('Twice')
  })

  it('keeps the transactions of guest and shop apart', async () => {
    const work = ({ db }: OpenDatabase, name: string) =>
      db.transaction().execute(async (tx) => {
        await addCategory(tx, `${name} that is undone`)
        await addCategory(tx, `${name} that is undone, too`)
        throw new Error('no')
      })
    const kept = [1, 2, 3].flatMap((n) => [
      addCategory(shop.db, `Kept ${n}`),
      addCategory(guest.db, `Kept from the guest ${n}`),
    ])
    const works = [work(shop, 'a'), work(guest, 'b'), work(shop, 'c'), work(guest, 'd')]
    const undone = Promise.allSettled(works)
    await Promise.all(kept)
    for (const { status } of await undone) expect(status).toBe('rejected')
    const names = await namesIn(shop)
    expect(names.filter((name) => name.startsWith('Kept'))).toHaveLength(6)
    expect(names.filter((name) => name.includes('undone'))).toEqual([])
  })

  it('keeps nobody waiting for long', async () => {
    const { app, get } = await shopOn(shop.db)
    const other = new pg.Client(guestOf(dataDir))
    await other.connect()
    await other.query('begin; select 1')
    const began = performance.now()
    const refused = await get('/category/get-category')
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    expect(performance.now() - began).toBeGreaterThan(3000)
    expect((await get('/category/get-category')).status).toBe(503)
    await other.query('commit')
    expect((await get('/category/get-category')).status).toBe(200)
    await other.end()
    await app.close()
  })

  it('undoes what a guest began who is gone', async () => {
    const other = new pg.Client(guestOf(dataDir))
    await other.connect()
    await other.query('begin')
    const half = `insert into categories (id, name, name_key, slug)
      values (gen_random_uuid(), 'Half done', 'half', 'half')`
    await other.query(half)
    await other.end()
    expect(await namesIn(shop)).not.toContain('Half done')
  })

  it('is not shaken by one who says nonsense', async () => {
    const socket = connect(join(dataDir, 'door', '.s.PGSQL.5432'))
    socket.write('GET / HTTP/1.1\r\n\r\n')
    socket.end()
    await new Promise((resolve) => socket.once('close', resolve).resume())
    expect(await namesIn(guest)).toEqual(await namesIn(shop))
  })

  it('lets everybody in between the photos of a backup', async () => {
    const category = await addCategory(shop.db, 'Large pictures')
    const { id: product_id } = await addProduct(shop.db, { category })
    const bytes = Buffer.alloc(400_000, 1)
    const photos = Array.from({ length: 60 }, (_none, width) => ({
      ...{ product_id, width, format: 'webp' as const, bytes },
    }))
    await shop.db.insertInto('product_photos').values(photos).execute()
    const began = performance.now()
    let isWritten = false
    const written = writeBackup(guest.db, join(dataDir, 'large')).then(() => {
      isWritten = true
    })
    let longest = 0
    while (!isWritten) {
      const came = performance.now()
      await namesIn(shop)
      longest = Math.max(longest, performance.now() - came)
      await setImmediate()
    }
    await written
    expect(longest).toBeLessThan((performance.now() - began) / 5)
    await shop.db.deleteFrom('product_photos').execute()
  })

  it('carries a backup out, which needs no other way', async () => {
    const category = await addCategory(shop.db, 'Pictures')
    const product = await addProduct(shop.db, { category })
    await addPhoto(shop.db, product)
    const file = join(dataDir, 'backup')
    await writeBackup(guest.db, file)
    await shop.db.deleteFrom('products').execute()
    await restoreBackup(shop.db, file, { replace: true })
    expect(await shop.db.selectFrom('product_photos').selectAll().execute()).toHaveLength(6)
  })
})

describe('a folder that is there already', () => {
  let other: OpenDatabase
  let room: string
  beforeAll(async () => {
    const folder = await unpackDatabase()
    room = join(folder, 'door')
    other = await openDatabase({ dataDir: folder })
  })
  afterAll(async () => {
    await other.close()
    await rm(dirname(room), { recursive: true })
  })

  it('is shut to others', async () => {
    mkdirSync(room)
    chmodSync(room, 0o777)
    await other.openDoor()
    expect(statSync(room).mode & 0o777).toBe(0o700)
    expect(await namesIn(other)).toEqual([])
  })

  it('is refused when it leads elsewhere', async () => {
    await rm(room, { recursive: true })
    symlinkSync('/tmp', room)
    await expect(other.openDoor()).rejects.toThrow(/is not a folder of this user: remove it/)
    await rm(room)
  })

  it.skipIf(process.getuid?.() !== 0)('is refused when it is of somebody else', async () => {
    mkdirSync(room)
    chownSync(room, 1, 1)
    await expect(other.openDoor()).rejects.toThrow(/is not a folder of this user: remove it/)
    rmdirSync(room)
  })
})

it('a shop that was killed leaves no door that is in the way', async () => {
  const other = await unpackDatabase()
  const first = await openDatabase({ dataDir: other })
  await first.openDoor()
  await first.close()
  expect(existsSync(join(other, 'door'))).toBe(true)
  const second = await openDatabase({ dataDir: other, throughDoor: true })
  await second.openDoor()
  await second.close()
  await rm(other, { recursive: true })
})
