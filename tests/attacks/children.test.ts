/** The environment of each process that a shop starts, and what such a process may read. */
import type { ChildProcess } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPgdata } from '#db/create-pgdata.ts'
import { ConfigSchema } from '#server/config-schema.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { childrenOf } from '#tests/support/children-of.ts'
import { fileOf, formOf } from '#tests/support/form.ts'
import { noise } from '#tests/support/pictures.ts'
import { testShop } from '#tests/support/shop.ts'
import { noteProcesses } from '#tests/support/started-processes.ts'
import { testFolder } from '#tests/support/test-folder.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const HARMLESS = ['PATH', 'NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX']
/** Node sets them for a process that sends messages. */
const CHANNEL = ['NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE']

type Child = { command: string[]; names: string[]; process: ChildProcess }
const children: Child[] = []

const wordsOf = (pid: number | undefined, file: string) =>
  readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').filter(Boolean)

noteProcesses((child) => {
  const names = wordsOf(child.pid, 'environ').map((line) => line.split('=')[0] ?? '')
  children.push({ command: wordsOf(child.pid, 'cmdline'), names, process: child })
})

beforeEach(({ skip }) => {
  if (process.platform !== 'linux')
    skip('The environment is read from /proc, which only Linux has.')
  children.length = 0
  // each setting is a secret here
  for (const name of Object.keys(ConfigSchema.properties)) vi.stubEnv(name, 'secret')
})
afterEach(() => {
  vi.unstubAllEnvs()
})

const unexpectedOf = ({ names }: Child) =>
  names.filter((name) => ![...HARMLESS, ...CHANNEL].includes(name))

/** The only process that was started since the test began. */
function onlyChild(): Child {
  const [child, ...more] = children
  if (!child || more.length > 0) throw new Error(`${children.length} processes were started.`)
  return child
}

describe('class 30: a process that the shop starts', () => {
  const shop = testShop()
  const folder = testFolder()

  const upload = async (picture: Buffer) => {
    const { token } = await addPerson(shop.db, { admin: true })
    const { id: category } = await addCategory(shop.db, `Cups ${crypto.randomUUID()}`)
    const name = `Cup ${crypto.randomUUID()}`
    const fields = { name, category, description: 'Holds tea.', price: 12.5, quantity: 10 }
    const form = formOf({ ...fields, photo: fileOf(picture) })
    return shop.post('/product/create-product', { token, body: form })
  }

  it('has no setting of the shop, where it decodes a photo', async () => {
    expect(await upload(await noise(40, 30).jpeg().toBuffer())).toMatchObject({ status: 201 })
    expect(unexpectedOf(onlyChild())).toEqual([])
  })

  it('may read the code and no settings or data, where it decodes a photo', async () => {
    await upload(await noise(40, 30).jpeg().toBuffer())
    const { command } = onlyChild()
    expect(command).toContain('--permission')
    const readable = command.flatMap((word) => word.split('--allow-fs-read=').slice(1))
    expect(readable).toContain(join(ROOT, 'app/shared'))
    const secret = ['.env', 'data/secrets.key'].map((file) => join(ROOT, file))
    for (const path of secret.flatMap((file) => [file, dirname(file)]))
      expect(readable).not.toContain(path)
  })

  it('has no setting of the shop, where it prepares the dialog of the sandbox', async () => {
    expect((await shop.get('/payment/sandbox/checkout.js')).status).toBe(200)
    expect(unexpectedOf(onlyChild())).toEqual([])
  })

  it('has no setting of the shop, where it creates an embedded database', async () => {
    await createPgdata(join(folder, 'pgdata'))
    expect(unexpectedOf(onlyChild())).toEqual([])
  })

  it('is killed after a minute, where it decodes a photo', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const answer = upload(await noise(2000, 2000).png().toBuffer())
      await vi.waitUntil(() => children.length > 0, { timeout: 60_000 })
      const { process: reader } = onlyChild()
      reader.kill('SIGSTOP')
      await vi.advanceTimersByTimeAsync(60_000)
      expect(await answer).toMatchObject({ status: 415 })
      // a killed process is there until the system has ended it
      const isThere = () => childrenOf(process.pid).some((pid) => pid === reader.pid)
      await vi.waitUntil(() => !isThere(), { timeout: 60_000 })
    } finally {
      vi.useRealTimers()
    }
  })
})

/** Files that start processes, with the environment that these get, or why it may be the whole. */
const STARTING: Record<string, RegExp | string> = {
  'app/payments/server/providers/sandbox.ts': /env: childEnvironment\(\)/,
  'app/shared/server/pictures/process-picture.ts': /childEnvironment\(\)/,
  'db/create-pgdata.ts': /env: childEnvironment\(\)/,
  'bin/start.ts': /env: \{ \.\.\.buildEnvironment\(\)/,
  'bin/shop/backup.ts': /env: \{ \.\.\.withoutSettings\(\)/,
  'demo/make-photos.ts': /env: childEnvironment\(\)/,
  'bin/dev.ts': 'the shop itself, in development',
  'bin/with-postgres.ts': 'the command of a developer',
  'server/workers/primary.ts': 'workers, which are the shop itself',
}

it('class 30: each file that starts a process is known', () => {
  const files = globSync('{app,bin,db,demo,server}/**/*.ts', { cwd: ROOT })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
    .filter(({ text }) => /\b(fork|spawn|spawnSync|exec|execFile|execFileSync)\)?\(/.test(text))
    .filter(({ text }) => /'node:(child_process|cluster)'/.test(text))
  expect(files.map(({ path }) => path).sort()).toEqual(Object.keys(STARTING).sort())
  for (const { path, text } of files) {
    const expected = STARTING[path]
    if (expected instanceof RegExp) expect(text, path).toMatch(expected)
  }
})
