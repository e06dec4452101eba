import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { describe, expect, it, vi } from 'vitest'
import { openAccount, resetPassword, signIn } from '#app/accounts/server/service.ts'
import { noCounters } from '#app/shared/server/limits/counters.ts'
import { program } from '#bin/shop/program.ts'
import { openDatabase } from '#db/connect.ts'
import { openOwnerSocket } from '#server/owner/socket.ts'
import { testFolder } from '#tests/support/test-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

// each command is a process, some of them create a database
vi.setConfig({ testTimeout: 120_000 })

const folder = testFolder()

const environment = () => ({ ...process.env, DATA_DIR: folder, DATABASE_URL: '', NO_COLOR: '1' })

/** Runs `npm run shop -- …`, on an embedded database of its own. */
async function run(words: string[], input = '', settings = {}) {
  const command = ['--disable-warning=ExperimentalWarning', 'bin/shop.ts', ...words]
  const running = spawn(process.execPath, command, {
    cwd: ROOT,
    env: { ...environment(), ...settings },
  })
  running.stdin.end(input)
  const code = new Promise((resolve) => running.once('close', resolve))
  const [out, error] = await Promise.all([text(running.stdout), text(running.stderr)])
  return { out, error, code: await code }
}

const COMMANDS = [
  'admin',
  'admin create',
  'admin reset-password',
  'account',
  'account export',
  'account close',
  'settings',
  'settings export',
  'settings import',
  'emails',
  'emails send-parked',
  'emails drop-parked',
  'seed',
  'export',
  'import',
  'backup',
  'restore',
  'move-to-postgres',
  'doctor',
]

const withSubcommands = (command: Command): Command[] => [
  command,
  ...command.commands.flatMap(withSubcommands),
]

describe('npm run shop', () => {
  it('tells how it is used', async () => {
    const { out, code } = await run(['admin', '--help'])
    expect(out).toContain('Usage: npm run shop -- admin')
    expect(code).toBe(0)
  })

  it('prints its version', async () => {
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.each([['backup', '-'], ['restore', 'shop.test.ts'], ['move-to-postgres']])(
    'refuses %s through PgBouncer, whose connections it would change for the shop',
    async (...words) => {
      const DATABASE_URL = 'postgres://haat@127.0.0.1:9/haat'
      const { error, code } = await run(words, '', { DATABASE_URL, PGBOUNCER: 'transaction' })
      expect(error).toContain('set DATABASE_URL to PostgreSQL itself, and PGBOUNCER to nothing')
      expect(code).toBe(1)
    },
  )

  it('tells how each command is used', () => {
    const usages = withSubcommands(program).map((command) => command.helpInformation())
    for (const name of ['', ...COMMANDS]) {
      const usage = `Usage: npm run shop -- ${name}`
      expect(usages.some((one) => one.startsWith(usage))).toBe(true)
    }
    expect(usages).toHaveLength(COMMANDS.length + 1)
  })

  it('answers 2 and the reason when it is misused', async () => {
    const misuses = {
      fly: "unknown command 'fly'",
      'admin create --email owner@example.com': "'--name <name>' not specified",
      'admin reset-password --email owner@example.com': 'There is no terminal to ask on.',
      seed: 'Say how many',
      'seed --products -1': 'It must be a whole number from 1.',
      export: "missing required argument 'file'",
    }
    const check = async ([command, reason]: [string, string]) => {
      const { error, code } = await run(command.split(' '))
      expect(error).toContain(reason)
      expect(code).toBe(2)
    }
    await Promise.all(Object.entries(misuses).map(check))
  })
})

const OWNER = ['--email', 'owner@example.com', '--password-stdin']
const create = (password: string) =>
  run(['admin', 'create', '--name', 'Owner', ...OWNER], `${password}\n`)

/** The user who can log in with the new password. */
async function signInWith(password: string) {
  const { db, close } = await openDatabase({ dataDir: folder })
  try {
    return (
      await signIn(
        db,
        { counters: noCounters, address: '' },
        { email: 'owner@example.com', password },
      )
    ).user
  } finally {
    await close()
  }
}

describe('npm run shop -- admin', () => {
  it('refuses a password that is too short', async () => {
    expect(await create('short')).toMatchObject({
      code: 1,
      error: 'password must have at least 8 characters.\n',
    })
  })

  it('opens the first account of an empty shop, for an admin', async () => {
    expect(await create('correct horse')).toMatchObject({
      code: 0,
      out: 'owner@example.com is an admin now.\n',
    })
    expect(await signInWith('correct horse')).toMatchObject({ name: 'Owner', is_admin: true })
    expect(await create('another horse')).toMatchObject({ code: 1 })
  })

  it('gives another password', async () => {
    const reset = await run(['admin', 'reset-password', ...OWNER], 'battery staple')
    expect(reset).toMatchObject({ code: 0 })
    expect(await signInWith('battery staple')).toMatchObject({ name: 'Owner' })
    await expect(signInWith('correct horse')).rejects.toThrow('Wrong email or password')
    expect(reset.out).toBe(
      'owner@example.com has a new password, and every session of that account has ended. The old ' +
        'security answer is void; customers may set another one in their profile.\n',
    )
    const nobody = ['--email', 'nobody@example.com', '--password-stdin']
    const { code, error } = await run(['admin', 'reset-password', ...nobody], 'battery staple')
    expect({ code, error }).toEqual({ code: 1, error: 'There is no account with this email.\n' })
  })

  it("voids a customer's security answer with the password", async () => {
    const customer = { email: 'sam@example.com', answer: 'Chess', name: 'Sam', phone: '-' }
    const door = { counters: noCounters, address: '' }
    const open = async (work: (db: Awaited<ReturnType<typeof openDatabase>>['db']) => unknown) => {
      const { db, close } = await openDatabase({ dataDir: folder })
      await Promise.resolve(work(db)).finally(close)
    }
    await open((db) => openAccount(db, { ...customer, address: '-', password: 'first secret' }))
    const words = ['admin', 'reset-password', '--email', customer.email, '--password-stdin']
    expect(await run(words, 'battery staple')).toMatchObject({ code: 0 })
    await open((db) =>
      expect(
        resetPassword(db, door, { ...customer, newPassword: 'the way back in' }),
      ).rejects.toThrow('Wrong email or answer'),
    )
  })

  it('refuses while another process has the folder open', async () => {
    const { close } = await openDatabase({ dataDir: folder })
    const { error, code } = await create('correct horse')
    await close()
    expect(error).toContain('Another process is using the database')
    expect(code).toBe(1)
  })
})

describe('npm run shop -- seed, export, import', () => {
  it('writes what was seeded, and reads it back', async () => {
    const seeded = await run(['seed', '--products', '20', '--users', '2', '--orders', '3'])
    expect(seeded).toMatchObject({ code: 0 })
    const file = join(folder, 'products.csv')
    expect(await run(['export', file])).toMatchObject({ code: 0 })
    expect((await readFile(file, 'utf8')).split('\r\n')).toHaveLength(22)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await run(['export', '-', '--orders'])).out).toContain('"order_id","date"')
    expect(await run(['import', file])).toMatchObject({
      code: 0,
      out: 'The products are imported: 0 new, 0 changed, 20 unchanged.\n',
    })
  })

  it('answers 1 when the file cannot be written, or rows are wrong', async () => {
    const { error, code } = await run(['export', join(folder, 'nowhere', 'products.csv')])
    expect(error).toContain('There is no folder')
    expect(code).toBe(1)
    const file = join(folder, 'wrong.csv')
    await writeFile(file, 'slug,price\nnot-there,5\n')
    expect(await run(['import', file, '--dry-run'])).toMatchObject({
      code: 1,
      error: 'Line 2: A new product needs a name, a description, a quantity and a category.\n',
      out: '1 of 1 row is invalid. Nothing was imported.\n',
    })
  })
})

describe('npm run shop -- backup, restore', () => {
  it('takes a backup of a running shop, and restores it in an empty folder', async () => {
    const file = join(folder, 'shop.tar.gz')
    const shop = await openDatabase({ dataDir: folder })
    const closeSocket = await openOwnerSocket(shop, folder)
    const taken = await run(['backup', file])
    expect(taken).toMatchObject({ code: 0, error: '' })
    expect(taken.out).toMatch(/^The backup is in .*shop\.tar\.gz \(\d+\.\d MB\)\.\n$/)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    const early = await run(['restore', file])
    expect(early).toMatchObject({ code: 1, out: '' })
    expect(early.error).toContain('Another process is using the database')
    await closeSocket()
    await shop.close()
    expect((await run(['restore', file])).error).toContain('already contains a shop')
    const empty = { DATA_DIR: join(folder, 'restored') }
    expect(await run(['restore', file], '', empty)).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        /^The backup is restored\..*\nE-mails that were queued .* are parked \(5\): /,
      ),
    })
    const restored = await openDatabase({ dataDir: empty.DATA_DIR })
    expect(await restored.db.selectFrom('products').select('id').execute()).toHaveLength(20)
    await restored.close()
  })

  it('leaves nothing half done', async () => {
    const nowhere = await run(['backup', join(folder, 'nowhere', 'shop.backup')])
    expect(nowhere).toMatchObject({
      code: 1,
      error: `There is no folder ${join(folder, 'nowhere')} to write to.\n`,
    })
    const fresh = join(folder, 'fresh')
    const csv = join(folder, 'products.csv')
    const refused = await run(['restore', csv], '', { DATA_DIR: fresh })
    expect(refused).toMatchObject({
      code: 1,
      error: `${csv} is not a backup of an embedded shop, or it is damaged. Nothing was changed.\n`,
    })
    expect(existsSync(join(fresh, 'pgdata'))).toBe(false)
  })
})
