import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readMigrations } from '#db/releases/migration-files.ts'
import { VERSION } from '#db/releases/version.ts'
import { RELEASES, UPGRADED } from './restore-dump.ts'

const CHANGELOG = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
const files = await readMigrations(new URL('../../db/migrations/', import.meta.url))

/** The text of the changelog by version, the newest first. */
const SECTIONS = new Map(
  CHANGELOG.split(/^## /m)
    .slice(1)
    .map((section) => {
      const [, version = '', text = ''] =
        /^\[(.*?)\](?: - \d{4}-\d\d-\d\d)?\n([\s\S]*)/.exec(section) ?? []
      return [version, text.trim()] as const
    }),
)
const versions = [...SECTIONS.keys()].filter((version) => version !== 'Unreleased')

it('the newest version of the changelog is that of the shop, and each has a dump', () => {
  expect(versions[0]).toBe(VERSION)
  expect(versions.toReversed()).toEqual(RELEASES)
})

it('the first and the last two releases are upgraded in each run, and all of them before a release', () => {
  for (const version of [RELEASES[0], ...RELEASES.slice(-2)]) expect(UPGRADED).toContain(version)
  if (process.env.UPGRADES === 'all') expect(UPGRADED).toEqual(RELEASES)
  else expect(UPGRADED).toHaveLength(3)
  expect(scripts['test:all']).toMatch(/^UPGRADES=all npm run test:ci /)
})

it('a release has kept the hashes of all migrations', () => {
  const kept = files.filter(({ released }) => released).map(({ name }) => name)
  const isReleased = SECTIONS.get('Unreleased') === ''
  const expected = files.map(({ name }) => name)
  if (isReleased) expect(kept).toEqual(expected)
  else expect(kept).toEqual(expected.slice(0, kept.length))
})

it('the notes of a version that keeps older ones out say: stop the shop', () => {
  for (const { oldestVersion } of files.filter((file) => file.oldestVersion)) {
    const notes = SECTIONS.get(oldestVersion ?? '') ?? SECTIONS.get('Unreleased')
    expect(notes).toMatch(/^Stop the shop/)
  }
})
