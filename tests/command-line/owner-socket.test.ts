/** Owner's commands beside a running shop with an embedded database. */
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { readConfig } from '#server/config.ts'
import type { CommandName, CommandOptions } from '#server/owner/commands.ts'
import { callShop, openOwnerSocket, runCommand } from '#server/owner/socket.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { unpackDatabase } from '#tests/support/database-image.ts'
import { testDataFolder } from '#tests/support/test-folder.ts'

const dataDir = await testDataFolder()
let shop: OpenDatabase
let closeSocket: () => Promise<void>
beforeAll(async () => {
  shop = await openDatabase({ dataDir })
  await migrate(shop.db)
  closeSocket = await openOwnerSocket(shop, dataDir)
})
afterAll(async () => {
  await closeSocket()
  await shop.close()
})

const run = <Name extends CommandName>(name: Name, options: CommandOptions[Name], input = '') =>
  runCommand(
    readConfig({ DATA_DIR: dataDir }),
    name,
    options,
    Readable.from([Buffer.from(input)]),
  ).then(text)

const CSV =
  'name,description,price,quantity,category,shipping\n"Cup","For tea",10,5,"Tableware",1\n'
const categories = async () =>
  (await shop.db.selectFrom('categories').select('name').execute()).map(({ name }) => name)

describe('the socket of a running shop', () => {
  it('is for the owner alone', () => {
    expect(statSync(join(dataDir, 'owner.sock')).mode & 0o777).toBe(0o600)
  })

  it('runs commands on what the shop has', async () => {
    await addCategory(shop.db, 'Tableware')
    const lines = (await run('importProducts', {}, CSV)).trim().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ imported: true })
    expect(await run('exportProducts', {})).toContain('"Cup","For tea",10')
    expect(await run('exportOrders', {})).toContain('"order_id"')
    const account = { name: 'Åsa', email: 'asa@example.com', phone: '-', address: '-', answer: '-' }
    await run('createAdmin', { ...account, password: 'correct horse' })
    const data = JSON.parse(await run('exportAccount', { email: 'asa@example.com' }))
    expect(data.account).toMatchObject({ name: 'Åsa' })
  })

  it('tells why a command fails', async () => {
    const nobody = { email: 'nobody@example.com' }
    await expect(run('exportAccount', nobody)).rejects.toThrow(
      'There is no account with this email.',
    )
    await expect(run('importProducts', {}, 'nonsense')).rejects.toThrow(/column/)
    const unknown = 'fly' as CommandName
    await expect(callShop(dataDir, unknown, {}, Readable.from([]))).rejects.toThrow(
      'The running shop is another version: restart it.',
    )
  })

  it('keeps the transactions of the shop to themselves', async () => {
    const undone = shop.db.transaction().execute(async (tx) => {
      await addCategory(tx, 'Undone')
      await setTimeout(300)
      throw new Error('undo')
    })
    const [exported] = await Promise.all([
      run('exportProducts', {}),
      run('importProducts', { createCategories: true }, CSV.replace('Tableware', 'Kitchen')),
      expect(undone).rejects.toThrow('undo'),
    ])
    expect(exported).toContain('Cup')
    expect(await categories()).not.toContain('Undone')
    expect(await categories()).toContain('Kitchen')
  })

  it('takes the place of one that a killed shop has left, and is gone with the shop', async () => {
    const other = await unpackDatabase()
    const opened = await openDatabase({ dataDir: other })
    writeFileSync(join(other, 'owner.sock'), '')
    const close = await openOwnerSocket(opened, other)
    expect(existsSync(join(other, 'owner.sock'))).toBe(true)
    await close()
    expect(existsSync(join(other, 'owner.sock'))).toBe(false)
    await opened.close()
    await rm(other, { recursive: true })
  })
})
