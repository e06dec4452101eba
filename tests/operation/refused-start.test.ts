/** Starts that are refused in a sentence, before anything is made. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { testFolder } from '#tests/support/test-folder.ts'
import { copyCheckout } from '../support/copy-checkout.ts'
import { mountSmallDisk } from '../support/small-disk.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

const folder = testFolder()

/** Runs a program of the shop, whose data folder does not exist yet. */
async function run(words: string[], settings: Record<string, string> = {}, cwd = ROOT) {
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), DATABASE_URL: '', PORT: '0' }
  const flags = ['--disable-warning=ExperimentalWarning']
  const child = spawn(process.execPath, [...flags, ...words], {
    cwd,
    env: { ...env, DEMO: 'off', ...settings },
  })
  const ended = once(child, 'close')
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await ended
  const lines = (out + error).trimEnd().split('\n')
  // each line is JSON, also before the settings are known
  return { written: lines.map((line) => JSON.parse(line).msg).join('\n'), code }
}

const makesNothing = async () => expect(await readdir(folder)).not.toContain('data')

it('an unknown name in the settings file, which is near a known one', async () => {
  const file = join(folder, 'settings')
  await writeFile(file, 'DEMO=off\nDATABSE_URL=postgres://host/name\n')
  const { written, code } = await run(['bin/start.ts', file])
  expect(written).toContain(
    `Line 2 of ${file} sets DATABSE_URL, which is unknown. Is it DATABASE_URL?`,
  )
  expect(code).toBe(1)
  await makesNothing()
})

it('a folder instead of the settings file', async () => {
  await mkdir(join(folder, 'settings.d'))
  const { written, code } = await run(['bin/start.ts', join(folder, 'settings.d')])
  expect(written).toMatch(
    /settings\.d cannot be read: .*[^.]\. It must be a file with the settings\./,
  )
  expect(written).not.toMatch(/\n\s+at /)
  expect(code).toBe(1)
})

it('a port that is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const PORT = String(Object(taken.address()).port)
  const { written, code } = await run(['bin/start.ts'], { PORT })
  expect(written).toMatch(new RegExp(`PORT ${PORT} on HOST 127\\.0\\.0\\.1 cannot be listened on`))
  expect(code).toBe(1)
  await makesNothing()
  taken.close()
})

it.for([1, 8])('a disk of %s MB, which is full', async (sizeMb, { skip }) => {
  const disk = await mountSmallDisk(sizeMb)
  if (!disk) return skip('A small disk cannot be mounted here.')
  const DATA_DIR = join(disk.folder, 'data')
  try {
    const { written, code } = await run(['bin/start.ts'], { DATA_DIR })
    expect(written).toContain(DATA_DIR)
    expect(written).toMatch(/ cannot be written\. The disk is full\. Free space on it/)
    expect(written).not.toMatch(/\n\s+at |ENOSPC|undefined/)
    expect(code).toBe(1)
  } finally {
    await disk.unmount()
  }
})

const { node: version } = process.versions

it('a Node that lacks security fixes', async () => {
  const clone = join(folder, 'clone')
  await copyCheckout(clone)
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
  const file = join(clone, 'package.json')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace(/"node": "\^.*"/, '"node": "^99.1.2 || >=100.3.4"'))
  const { written, code } = await run(['bin/start.ts'], {}, clone)
  expect(written).toBe(
    `Node ${version} lacks security fixes: install Node 99.1.2, 100.3.4 or a newer one of these.`,
  )
  expect(code).toBe(1)
  await makesNothing()
})

it.each(['start', 'run shop doctor', 'run dev'])(
  'a Node that cannot run TypeScript: npm %s',
  async (words) => {
    const npm = spawn('npm', ['--silent', ...words.split(' ')], {
      cwd: ROOT,
      env: { ...process.env, NODE_OPTIONS: '--no-experimental-strip-types' },
    })
    const ended = once(npm, 'close')
    const [out, error] = await Promise.all([text(npm.stdout), text(npm.stderr)])
    expect(out + error).toBe(
      `Node ${version} cannot run the shop: install Node 22.23.4, 24.22.1, 26.12.1 or a newer one of these.\n`,
    )
    expect(await ended).toEqual([1, null])
  },
)
