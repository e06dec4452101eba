import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** The files that a document links to, from the repository root. */
const namedIn = (path: string, text: string) =>
  [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, to = '']) =>
    posix.join(posix.dirname(path), to),
  )

const missing = (path: string, text: string) =>
  namedIn(path, text).filter((to) => !existsSync(ROOT + to))

/** Rows with `met` but without a link to the proof. */
const unproved = (text: string) =>
  text.split('\n').filter((line) => line.includes('| met |') && !/\]\(/.test(line))

const documents = globSync('{*.md,{deploy,docs}/**/*.md}', { cwd: ROOT })

it.each(documents)('%s names only files that are there', (path) => {
  expect(missing(path, readFileSync(ROOT + path, 'utf8'))).toEqual([])
})

it('ARCHITECTURE.md lists each domain', () => {
  const [, list = ''] =
    /^app\/<domain>\/([^;]+);/m.exec(readFileSync(`${ROOT}ARCHITECTURE.md`, 'utf8')) ?? []
  const domains = globSync('*/server/module.ts', { cwd: `${ROOT}app` }).map(
    (path) => path.split('/')[0],
  )
  expect(list.split(/\s+/)).toEqual(expect.arrayContaining(domains))
})

it('docs/security.md points at what shows it, wherever it says that something is met', () => {
  expect(unproved(readFileSync(`${ROOT}docs/security.md`, 'utf8'))).toEqual([])
})

it('sees what is not there, and what is not shown', () => {
  expect(missing('docs/a.md', '[a](../no/such/file.ts), [b](limits.md)')).toEqual([
    'no/such/file.ts',
  ])
  expect(unproved('| 1.1 | a | met | somehow |\n| 1.2 | b | met | [c](d) |')).toHaveLength(1)
})
