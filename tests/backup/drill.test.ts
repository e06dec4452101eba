/** The restore test of docs/operations.md, line by line: a restored shop mails nobody. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import { callShop, openOwnerSocket } from '#server/owner/socket.ts'
import { testFolder } from '#tests/support/test-folder.ts'
import { unpackDatabase } from '../support/database-image.ts'
import { freePort } from '../support/free-port.ts'
import { startShopProcess } from '../support/shop-process.ts'
import { mailSettings, openSmtp, type Smtp } from '../support/smtp.ts'
import { openBusyShop } from './busy-shop.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const parent = testFolder()
let backup: string
let smtp: Smtp
/** The number of e-mails that were queued when the backup was made. */
let queued: number
beforeAll(async () => {
  backup = join(parent, 'shop.backup')
  smtp = await openSmtp()
  const dataDir = await unpackDatabase()
  const opened = await openDatabase({ dataDir })
  await migrate(opened.db)
  const closeSocket = await openOwnerSocket(opened, dataDir)
  const shop = await openBusyShop(opened.db)
  await vi.waitUntil(() => shop.orders.length > 5, { timeout: 60_000 })
  await shop.close()
  const emails = await opened.db.selectFrom('emails').select('state').execute()
  queued = emails.filter(({ state }) => state === 'queued').length
  await pipeline(
    await callShop(dataDir, 'backup', {}, Readable.from([])),
    createWriteStream(backup),
  )
  await closeSocket()
  await opened.close()
  await rm(dataDir, { recursive: true })
})
afterAll(() => smtp.close())

/** The settings of the live shop, which sends e-mails. */
const live = () => ({ ...process.env, ...mailSettings(smtp), DEMO: 'off', NO_COLOR: '1' })

async function documentedDrill(folder: string): Promise<string> {
  const text = await readFile(join(ROOT, 'docs/operations.md'), 'utf8')
  const [, lines = ''] = /### Restore test\n[^`]*```sh\n([^`]*)```/.exec(text) ?? []
  return lines
    .replaceAll(/\/var\/backups\/\S+/g, backup)
    .replaceAll('/tmp/drill', folder)
    .replaceAll('PORT=3999', `PORT=${await freePort()}`)
}

/** Collects the output of a process until it contains the text. */
async function untilWritten(child: ChildProcess, wanted: RegExp): Promise<string> {
  let written = ''
  const found = Promise.withResolvers<string>()
  const read = (chunk: Buffer) => {
    written += chunk
    if (wanted.test(written)) found.resolve(written)
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)
  child.once('exit', () => found.reject(new Error(written)))
  return found.promise
}

/** Runs `npm run shop -- …` on a folder. */
async function run(words: string[], folder: string): Promise<string> {
  const command = ['--disable-warning=ExperimentalWarning', 'bin/shop.ts', ...words]
  const env = { ...live(), DATA_DIR: folder, DATABASE_URL: '' }
  const running = spawn(process.execPath, command, { cwd: ROOT, env })
  const [out, error] = await Promise.all([text(running.stdout), text(running.stderr)])
  return out + error
}

const start = (folder: string) =>
  startShopProcess({ DATA_DIR: folder, DEMO: 'off', SANDBOX_SECRET: 's', ...mailSettings(smtp) })

/** Registers somebody, who gets an e-mail that is new. */
async function register(address: string, email: string) {
  const facts = { name: 'Asha', phone: '5', address: '1 Lane', answer: 'Chess' }
  const reply = await fetch(`${address}/api/v1/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...facts, email, password: 'correct horse' }),
  })
  expect(reply.status).toBe(201)
}

const received = () => smtp.received.map(({ to }) => to)

it('the documented drill opens the shop and says what is parked, and no e-mail leaves it', async () => {
  const folder = join(parent, 'drill')
  const lines = await documentedDrill(folder)
  const drill = spawn('sh', ['-c', lines], { cwd: ROOT, env: live(), detached: true })
  const ended = once(drill, 'close')
  try {
    const written = await untilWritten(drill, /is open at http:\S+[\s\S]*are parked/)
    expect(written).toContain('The backup is restored.')
    // by the restore, the doctor and the start
    expect(written.match(/are parked \(\d+\)/g)).toEqual(Array(3).fill(`are parked (${queued})`))
    const [, address = ''] = /is open at (http:\/\/[\d.:]+)/.exec(written) ?? []
    await register(address, 'drill@example.com')
  } finally {
    process.kill(-(drill.pid ?? 0), 'SIGTERM')
    await ended
  }
  expect(smtp.connections).toBe(0)
})

it('a restored shop with a mail server sends what is new, and what was queued when the owner says so', async () => {
  const folder = join(parent, 'restored')
  await run(['restore', backup], folder)
  const shop = await start(folder)
  await register(shop.address, 'new@example.com')
  await expect.poll(received, { timeout: 30_000 }).toEqual(['new@example.com'])
  expect(await run(['doctor'], folder)).toContain(`are parked (${queued})`)
  expect(await run(['emails', 'send-parked'], folder)).toBe(
    `Parked e-mails that are queued now: ${queued}. The running shop sends them.\n`,
  )
  await expect.poll(() => received().length, { timeout: 30_000 }).toBe(queued + 1)
  expect(await run(['doctor'], folder)).not.toContain('parked')
  expect(await shop.stop()).toBe(0)
})

it('parked e-mails are deleted when the owner says so', async () => {
  const folder = join(parent, 'dropped')
  await run(['restore', backup], folder)
  expect(await run(['emails', 'drop-parked'], folder)).toBe(
    `Parked e-mails that are deleted: ${queued}.\n`,
  )
  expect(await run(['doctor'], folder)).not.toContain('parked')
})

it('an interrupted restore is finished by the next start', async () => {
  const folder = join(parent, 'interrupted')
  const { restoreEmbedded } = await import('#db/embedded.ts')
  // what is left of one that was killed before it has parked them
  await restoreEmbedded(folder, backup)
  expect(await run(['emails', 'drop-parked'], folder)).toContain(`deleted: ${queued}.`)
})
