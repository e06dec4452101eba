/** Rules of files that Biome does not check: sizes, suppressions, links. */
import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { checkRules } from './check-rules.ts'
import { OVER_SIZE } from './over-size.ts'
import { isContract, isTest } from './paths.ts'
import { readSources, type Source } from './source.ts'

const FILE = 300
const FUNCTION = 50
const COMPONENT = 100
const FOLDER = 20

/** Whether the question of the size is answered: is this two things? */
const isAnswered = (path: string) => Object.hasOwn(OVER_SIZE, path)

/** Calls are data: there may be many. */
const isCalls = (path: string) => isContract(path) && path.endsWith('contract.ts')

const isLong = ({ path, lines }: Pick<Source, 'path' | 'lines'>) => lines > FILE && !isCalls(path)

/** The files of a folder, tests aside. */
const filesIn = (folder: string, all: Source[]) =>
  all.filter(({ path }) => posix.dirname(path) === folder && !isTest(path))

const lines = (count: number) => 'x()\n'.repeat(count)

it('asks no contract for its length', () => {
  expect(isLong({ path: 'app/cart/admin-contract.ts', lines: FILE + 1 })).toBe(false)
  expect(isLong({ path: 'app/cart/model.ts', lines: FILE + 1 })).toBe(true)
})

it('each answer is of a file or a folder that is over a size', () => {
  const all = readSources()
  const isOver = (path: string) =>
    filesIn(path, all).length > FOLDER || all.some((one) => one.path === path && isLong(one))
  expect(Object.keys(OVER_SIZE).filter((path) => !isOver(path))).toEqual([])
  for (const [path, answer] of Object.entries(OVER_SIZE))
    expect(answer, path).toMatch(/^One thing: .+\.$/)
})

checkRules('writing', [
  {
    rule: `a file over ${FILE} lines that is no contract is two things, or over-size.ts says why not`,
    breaks: (source) =>
      isLong(source) && !isAnswered(source.path) ? [`${source.lines} lines`] : [],
    planted: {
      'app/cart/web/a.ts': lines(301),
      'tests/a.test.ts': lines(301),
      'app/cart/model.ts': lines(301),
    },
  },
  {
    rule: `a function has at most ${FUNCTION} lines, with JSX ${COMPONENT}`,
    breaks: (source) =>
      isTest(source.path)
        ? []
        : source.functions
            .filter(({ lines, jsx }) => lines > (jsx ? COMPONENT : FUNCTION))
            .map(({ line, lines }) => `${lines} lines from line ${line}`),
    planted: {
      'app/cart/web/a.ts': `const a = () => {\n${lines(49)}}`,
      'app/cart/web/b.tsx': `function B() {\n${lines(98)}return <b />\n}`,
    },
  },
  {
    rule: `a folder over ${FOLDER} files, tests aside, is two subjects, or over-size.ts says why not`,
    breaks: ({ path }, all) => {
      const folder = posix.dirname(path)
      const { length } = filesIn(folder, all)
      return length > FOLDER && !isTest(path) && !isAnswered(folder) ? [`${length} files`] : []
    },
    planted: Object.fromEntries(
      Array.from({ length: 21 }, (_, n) => [`app/cart/web/a${n}.ts`, '']),
    ),
  },
  {
    rule: 'no suppressed checks, nothing left to do',
    breaks: ({ comments }) =>
      comments.filter((comment) =>
        /@ts-(ignore|expect-error|nocheck)|biome-ignore|eslint-disable|\b(TODO|FIXME|XXX)\b/.test(
          comment,
        ),
      ),
    planted: {
      'app/cart/web/a.ts': `// @ts-${'ignore'}\nconst x = 1`,
      'app/cart/web/b.ts': `/* biome-${'ignore'} lint: no */`,
      'app/cart/web/c.ts': `// TO${'DO'}: finish`,
    },
  },
  {
    rule: 'links to pages are made by href, whose type knows them',
    breaks: ({ path, text }) =>
      /^app\/(?!shared\/contract\/|\w+\/[\w-]*contract\.ts)/.test(path) && !isTest(path)
        ? (text.match(
            /(\b(href|to)=\{?|navigate\()["'`]\/\w[^."'`]*["'`]|(?<!href\(\s*)["'`}]\/dashboard\b/g,
          ) ?? [])
        : [],
    planted: {
      'app/cart/web/a.tsx': 'const a = <a href="/cart">Cart</a>',
      'app/cart/web/b.ts': "navigate('/login')",
      'app/emails/server/c.ts': ['const url = `$', '{shop}/dashboard/user/orders`'].join(''),
    },
  },
])
