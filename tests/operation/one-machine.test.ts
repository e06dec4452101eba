/** The files of deploy/one-machine for systemd and PostgreSQL, loaded into these programs. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#db/connect.ts'
import { testFolder } from '#tests/support/test-folder.ts'
import { unpackDatabase } from '../support/database-image.ts'
import { freePort } from '../support/free-port.ts'
import { ONE_MACHINE } from '../support/nginx.ts'
import { startPostgres } from '../support/postgres.ts'
import { commandsOf } from '../support/systemd.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ANALYZE = '/usr/bin/systemd-analyze'
const DAY_MS = 24 * 60 * 60 * 1000
const execute = promisify(execFile)

const folder = testFolder()

describe('the systemd units', () => {
  it('are valid', async ({ skip }) => {
    if (!existsSync(ANALYZE)) skip('systemd is not installed here.')
    const units = globSync('*.{service,timer}', { cwd: ONE_MACHINE })
    expect(units).toHaveLength(4)
    const place = await mkdtemp(join(folder, 'units-'))
    for (const unit of units) {
      const text = await readFile(join(ONE_MACHINE, unit), 'utf8')
      const here = text.replaceAll('/srv/haat/', ROOT).replaceAll('/usr/sbin/sendmail', '/bin/cat')
      await writeFile(join(place, unit), here)
    }
    // prints what is wrong or unknown
    const verified = await execute(ANALYZE, ['verify', ...units.map((unit) => join(place, unit))])
    expect(verified).toEqual({ stdout: '', stderr: '' })
  })

  it('start the shop by the command of `npm start`', async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    const [command] = commandsOf('haat@.service', 'ExecStart')
    const [, npmStart] = /exec (node .+?) \|\|/.exec(scripts.start) ?? []
    expect(command).toBe(`/usr/bin/env ${npmStart}`)
  })

  it('fail to start a shop whose process has ended, instead of waiting for it', async () => {
    const ended = spawn('true')
    await once(ended, 'exit')
    const [command = ''] = commandsOf('haat@.service', 'ExecStartPost', `${await freePort()}`)
    const env = { ...process.env, MAINPID: `${ended.pid}` }
    await expect(execute('sh', ['-c', command], { env, timeout: 5000 })).rejects.toMatchObject({
      code: 1,
    })
  })

  it('mail what systemd knows about a unit that has failed', async () => {
    const bin = join(folder, 'bin')
    await mkdir(bin)
    const status = join(bin, 'systemctl')
    await writeFile(status, '#!/bin/sh\necho "$@: failed"\nexit 3\n')
    await chmod(status, 0o755)
    const [command = ''] = commandsOf('haat-alert@.service', 'ExecStart', 'haat-backup.service')
    const env = { PATH: `${bin}:${process.env.PATH}` }
    const shown = command.replace('/usr/sbin/sendmail -t', 'cat')
    const { stdout } = await execute('sh', ['-c', shown], { env })
    expect(stdout).toMatch(/^To: root\nSubject: haat-backup.service has failed on \S+\n\n/)
    expect(stdout).toContain('haat-backup.service: failed\n')
  })
})

describe('the unit of backups', () => {
  let backups: string
  /** Runs its commands as systemd does: each after the success of the one before. */
  const run = async (settings: Record<string, string>) => {
    const commands = ['ExecStart', 'ExecStartPost'].flatMap((key) =>
      commandsOf('haat-backup.service', key),
    )
    const script = commands.join(' && ').replaceAll('/var/backups/haat', backups)
    const env = { ...process.env, DATABASE_URL: '', ...settings }
    return execute('sh', ['-c', script], { cwd: ROOT, env })
  }
  beforeAll(async () => {
    backups = join(folder, 'backups')
    await mkdir(backups)
    for (const days of [1, 29, 31]) {
      const file = join(backups, `${days}.backup`)
      await writeFile(file, '')
      const then = new Date(Date.now() - days * DAY_MS)
      await utimes(file, then, then)
    }
  })

  it('fails when there is no backup, and keeps the old ones', async () => {
    const nowhere = { DATABASE_URL: 'postgres://haat@127.0.0.1:1/haat', DATA_DIR: folder }
    await expect(run(nowhere)).rejects.toMatchObject({ code: 1 })
    expect((await readdir(backups)).sort()).toEqual(['1.backup', '29.backup', '31.backup'])
  })

  it('makes the one of the day, and keeps those of thirty days', async () => {
    const dataDir = await unpackDatabase()
    await run({ DATA_DIR: dataDir })
    const today = new Intl.DateTimeFormat('sv').format(new Date())
    expect((await readdir(backups)).sort()).toEqual(['1.backup', `${today}.backup`, '29.backup'])
    await rm(dataDir, { recursive: true })
  })
})

describe('the settings of PostgreSQL', () => {
  it('are accepted, differ from the defaults, and keep durability', async ({ skip }) => {
    const text = await readFile(join(ONE_MACHINE, 'postgresql.conf'), 'utf8')
    const file = join(folder, 'postgresql.conf')
    await copyFile(join(ONE_MACHINE, 'postgresql.conf'), file)
    // the server runs as another user
    await chmod(folder, 0o755)
    const postgres = await startPostgres([`config_file=${file}`])
    if (!postgres) return skip('PostgreSQL is not installed here.')
    const { db, close } = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
    const { rows } = await sql<{ name: string; isDefault: boolean }>`
      select name, setting = boot_val as "isDefault" from pg_settings
      where source = 'configuration file' order by name`.execute(db)
    const names = [...text.matchAll(/^(\w+) = /gm)].map(([, name]) => name)
    expect(rows).toEqual(names.sort().map((name) => ({ name, isDefault: false })))
    const durability = await sql<{ setting: string }>`
      select distinct setting from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit')`.execute(db)
    expect(durability.rows).toEqual([{ setting: 'on' }])
    await close()
    await postgres.stop()
  })
})
