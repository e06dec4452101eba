/** The permissions of the data folder: private to its owner. */
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { testFolder } from '#tests/support/test-folder.ts'
import { startShopProcess } from '../support/shop-process.ts'

const FILE_MODE = 0o600
const OTHERS = 0o077

// shops are started one after the other, and create a database first
vi.setConfig({ testTimeout: 180_000 })

const parent = testFolder()

const start = (folder: string) =>
  startShopProcess({ DATA_DIR: folder, DEMO: 'off', SANDBOX_SECRET: '' })

const everythingIn = (folder: string) => [
  folder,
  ...readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))),
]

/** The files that other users may access. */
const openToOthers = (folder: string) =>
  everythingIn(folder).filter((path) => lstatSync(path).mode & OTHERS)

describe('DATA_DIR', () => {
  it('is shut with everything in it when the shop starts, and stays so', async () => {
    const folder = join(parent, 'made-before')
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    const first = await start(folder)
    expect(everythingIn(folder).length).toBeGreaterThan(900)
    expect(openToOthers(folder)).toEqual([])
    await fetch(`${first.address}/`)
    expect(await first.stop()).toBe(0)
    expect(openToOthers(folder)).toEqual([])

    for (const path of everythingIn(folder)) {
      const isFolder = lstatSync(path).isDirectory()
      chmodSync(path, isFolder ? 0o755 : 0o666)
    }
    writeFileSync(join(folder, 'notes.txt'), 'x', { mode: 0o644 })
    const second = await start(folder)
    expect(openToOthers(folder)).toEqual([])
    expect(lstatSync(join(folder, 'pgdata/PG_VERSION')).mode & 0o777).toBe(FILE_MODE)
    expect(await second.stop()).toBe(0)
  })

  it('of somebody else, or that everybody shares, is refused with a sentence', async () => {
    const isRoot = process.getuid?.() === 0
    const foreign = isRoot ? join(parent, 'foreign') : '/usr'
    const shared = join(parent, 'shared')
    if (isRoot) {
      mkdirSync(foreign)
      chownSync(foreign, 65_534, 65_534)
    }
    mkdirSync(shared)
    chmodSync(shared, 0o1777)
    await expect(start(foreign)).rejects.toThrow(
      `The folder DATA_DIR (${foreign}) belongs to another user.`,
    )
    await expect(start(shared)).rejects.toThrow(
      `The folder DATA_DIR (${shared}) is shared by all users of this machine.`,
    )
    expect(readdirSync(shared)).toEqual([])
  })
})
