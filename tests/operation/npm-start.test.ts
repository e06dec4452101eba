/** The shop as `npm start` starts it, and its end by a signal to npm. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it, vi } from 'vitest'
import { openDatabase } from '#db/connect.ts'
import { childrenOf } from '../support/children-of.ts'
import { unpackDatabase } from '../support/database-image.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

vi.setConfig({ testTimeout: 120_000 })

const descendantsOf = (pid: number): number[] =>
  childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)])

it('SIGTERM to npm stops the shop, and meanwhile another process is told which one it is', async () => {
  const folder = await unpackDatabase()
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, DATA_DIR: folder, DATABASE_URL: '', DEMO: 'off', PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(npm, 'close')
  const killAll = () => {
    for (const pid of descendantsOf(npm.pid ?? 0)) process.kill(pid, 'SIGKILL')
  }
  try {
    let written = ''
    const open = Promise.withResolvers<void>()
    npm.stdout.on('data', (chunk: Buffer) => {
      written += chunk
      if (/is open at http/.test(written)) open.resolve()
    })
    npm.once('exit', () => open.reject(new Error(written)))
    await open.promise
    const [shop] = descendantsOf(npm.pid ?? 0)
    await expect(openDatabase({ dataDir: folder })).rejects.toThrow(
      `Another process is using the database in ${folder}: process ${shop}.`,
    )
    npm.kill('SIGTERM')
    // `close` comes when no process has their output open any more
    await ended
    const { close } = await openDatabase({ dataDir: folder })
    await close()
  } finally {
    killAll()
  }
  await rm(folder, { recursive: true })
})
