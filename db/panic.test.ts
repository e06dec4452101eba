import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, it } from 'vitest'
import { unpackDatabase } from '#tests/support/database-image.ts'
import { openDatabase } from './connect.ts'
import { guestOf } from './door.ts'
import { hearPanic } from './panic.ts'

const failing = (severity: string) => Object.assign(new Error('No space left'), { severity })

it('says once that the embedded database has ended itself, and asks it nothing more', async () => {
  const answers: unknown[] = [failing('ERROR'), failing('PANIC')]
  let asked = 0
  const pglite = {
    async execProtocolStream() {
      asked += 1
      const error = answers.shift()
      if (error) throw error
      return []
    },
    execProtocolRaw: async () => new Uint8Array(),
  }
  const heard: string[] = []
  const { isGone } = hearPanic(pglite, ({ message }) => heard.push(message))
  const ask = () => pglite.execProtocolStream()
  await expect(ask()).rejects.toMatchObject({ severity: 'ERROR' })
  expect([isGone(), heard]).toEqual([false, []])
  const gone = { code: '57P02', message: 'The embedded database has ended itself: No space left' }
  await expect(ask()).rejects.toMatchObject(gone)
  await expect(ask()).rejects.toMatchObject(gone)
  expect([isGone(), heard, asked]).toEqual([true, [gone.message], 2])
})

const WRITE_20_MB = `select pg_logical_emit_message(true, 'test', repeat('x', 1000000))
  from generate_series(1, 20)`

it.each([
  ['the shop', false],
  ['the socket of its owner', true],
])('is heard when the embedded database crashes in a statement of %s', async (_who, isGuest) => {
  const dataDir = await unpackDatabase()
  const shop = await openDatabase({ dataDir })
  const heard: string[] = []
  shop.watch({ gone: ({ message }) => heard.push(message), down() {}, up() {} }, 1000)
  await shop.openDoor()
  const guest = new pg.Client(guestOf(dataDir))
  // its connection is cut when the database crashes
  guest.on('error', () => {})
  await guest.connect()
  await guest.query('select 1')
  // as a broken disk: what is written next cannot be written
  const log = join(dataDir, 'pgdata', 'pg_wal')
  await rename(log, `${log}-away`)
  const write = () => (isGuest ? guest.query(WRITE_20_MB) : sql.raw(WRITE_20_MB).execute(shop.db))
  await expect(write()).rejects.toThrow()
  expect(heard).toEqual([
    expect.stringMatching(/^The embedded database has ended itself: .*pg_wal/),
  ])
  await expect(sql`select 1`.execute(shop.db)).rejects.toMatchObject({ code: '57P02' })
  await guest.end()
  await shop.close()
  await rm(dataDir, { recursive: true })
})
