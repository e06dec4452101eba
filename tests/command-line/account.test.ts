/** The account commands of the command line: personal data export and closing. */
import { spawn } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '#db/connect.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addOrder } from '#tests/support/orders.ts'
import { testDataFolder } from '#tests/support/test-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

// each command is a process
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const folder = await testDataFolder()
let buyer: Person
let admin: Person

async function inDatabase<Result>(
  work: (db: Awaited<ReturnType<typeof openDatabase>>['db']) => Promise<Result>,
) {
  const { db, close } = await openDatabase({ dataDir: folder })
  try {
    return await work(db)
  } finally {
    await close()
  }
}

beforeAll(async () => {
  await inDatabase(async (db) => {
    buyer = await addPerson(db, { name: 'Åsa' })
    admin = await addPerson(db, { admin: true })
    await addOrder(db, buyer)
  })
})

async function run(...words: string[]) {
  const command = ['--disable-warning=ExperimentalWarning', 'bin/shop.ts', 'account', ...words]
  const env = { ...process.env, DATA_DIR: folder, DATABASE_URL: '', NO_COLOR: '1' }
  const running = spawn(process.execPath, command, { cwd: ROOT, env })
  running.stdin.end()
  const code = new Promise((resolve) => running.once('close', resolve))
  const [out, error] = await Promise.all([text(running.stdout), text(running.stderr)])
  return { out, error, code: await code }
}

describe('npm run shop -- account', () => {
  it('exports the data of a customer to a file of the owner alone', async () => {
    const file = join(folder, 'data.json')
    expect(await run('export', file, '--email', buyer.email)).toMatchObject({ error: '', code: 0 })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const data = JSON.parse(await readFile(file, 'utf8'))
    expect(data.account).toMatchObject({ name: 'Åsa', email: buyer.email })
    expect(data.orders).toMatchObject([{ total_minor: 3998, buyer_address: '1 Market Lane' }])
    const { out } = await run('export', '-', '--email', buyer.email.toUpperCase())
    expect(JSON.parse(out).orders).toEqual(data.orders)
  })

  it('refuses whom there is not, and an admin', async () => {
    for (const command of [['export', '-'], ['close']])
      expect(await run(...command, '--email', 'nobody@example.com')).toMatchObject({
        out: '',
        code: 1,
        error: 'There is no account with this email.\n',
      })
    const { error, code } = await run('close', '--email', admin.email)
    expect([error, code]).toEqual([
      "An admin's account cannot be closed. Another admin removes the role first.\n",
      1,
    ])
  })

  it('closes an account; with orders to be sent only when that is said', async () => {
    const refused = await run('close', '--email', buyer.email)
    expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('1 order that is') })
    const closed = await run('close', '--email', buyer.email, '--with-open-orders')
    expect(closed).toMatchObject({ error: '', code: 0 })
    const [user, order, entry] = await inDatabase(async (db) => [
      await db.selectFrom('users').where('id', '=', buyer.id).selectAll().executeTakeFirst(),
      await db.selectFrom('orders').selectAll().executeTakeFirst(),
      await db.selectFrom('audit_log').orderBy('id', 'desc').selectAll().executeTakeFirst(),
    ])
    expect(user).toMatchObject({ name: 'Closed account', email: '', phone: '', address: '' })
    expect(order).toMatchObject({ buyer_name: 'Closed account', buyer_address: '' })
    expect(entry).toMatchObject({ actor_kind: 'owner', row_id: buyer.id })
    const again = await run('close', '--email', buyer.email)
    expect(again).toMatchObject({ code: 1, error: 'There is no account with this email.\n' })
  })
})
