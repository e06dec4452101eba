/** The commands into which podman-compose translates compose.yaml. */
import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { demandPrograms } from '#tests/support/needed-programs.ts'
import { testFolder } from '#tests/support/test-folder.ts'
import { ROOT, run } from './build-image.ts'

/** Prints each command instead of running it. */
const PODMAN = '#!/bin/sh\necho "podman $*"\n'

const folder = testFolder()
beforeAll(async () => {
  demandPrograms('image')
  await copyFile(join(ROOT, 'compose.yaml'), join(folder, 'compose.yaml'))
  await writeFile(join(folder, 'podman'), PODMAN, { mode: 0o755 })
})

/** The commands of `docker compose up` with this settings file. */
async function up(settings: string): Promise<string[]> {
  await writeFile(join(folder, '.env'), settings)
  const words = ['--podman-path', join(folder, 'podman'), '--file', join(folder, 'compose.yaml')]
  return run('podman-compose', [...words, 'up', '--detach', '--no-build']).split('\n')
}

describe('compose.yaml', () => {
  it('wants a password of the database', async () => {
    await expect(up('')).rejects.toThrow('set POSTGRES_PASSWORD in .env')
  })

  it('starts the shop hardened, on a volume, at this machine only, beside PostgreSQL', async () => {
    const commands = await up('POSTGRES_PASSWORD=secret\nPORT=3456\nMAIL_FROM=a@example.com\n')
    const commandOf = (service: string) =>
      commands.find((line) => /^podman run --name=\S+_(\w+)_1 /.exec(line)?.[1] === service) ?? ''
    const shop = commandOf('shop')
    const database = commandOf('database')
    expect(shop).toContain(' --read-only ')
    expect(shop).toContain(' --cap-drop ALL ')
    expect(shop).toContain(' --security-opt no-new-privileges:true ')
    expect(shop).toContain(' --tmpfs /tmp ')
    expect(shop).toMatch(/ -v \S+_shop:\/data /)
    expect(shop).toContain(' -p 127.0.0.1:3456:3000 ')
    expect(shop).toContain(' -e DATABASE_URL=postgres://haat:secret@database/haat ')
    expect(shop).toContain(' -e PORT=3000 ')
    expect(database).toContain(' -e POSTGRES_PASSWORD=secret ')
    expect(database).toContain('pg_isready')
    expect(database).not.toContain(' -p ')
    for (const command of [shop, database]) expect(command).toContain(' --restart unless-stopped ')
  })
})
