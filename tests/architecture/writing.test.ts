/** Rules of files that Biome does not check: sizes, suppressions, links. */
import { posix } from 'node:path'
import { checkRules } from './check-rules.ts'
import type { Source } from './source.ts'

const FILE = 300
const TEST = 300
const FUNCTION = 50
const COMPONENT = 100
const FOLDER = 20

const isTest = (path: string) => path.startsWith('tests/') || path.endsWith('.test.ts')

/** A file over a size says why in its first comment: `Over size, because …`. */
const saysWhy = ({ text }: Source) => /^\/(\/|\*\*?)\s*Over size, because \S/.test(text)

const lines = (count: number) => 'x()\n'.repeat(count)

checkRules('writing', [
  {
    rule: `a file has at most ${FILE} lines, a test ${TEST}, or says why at its top`,
    breaks: (source) => {
      const max = isTest(source.path) ? TEST : FILE
      return source.lines > max && !saysWhy(source) ? [`${source.lines} lines`] : []
    },
    planted: {
      'app/cart/web/a.ts': lines(301),
      'tests/a.test.ts': lines(301),
      'app/cart/web/b.ts': `// Over size\n${lines(300)}`,
    },
  },
  {
    rule: `a function has at most ${FUNCTION} lines, with JSX ${COMPONENT}, or its file says why`,
    breaks: (source) =>
      isTest(source.path) || saysWhy(source)
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
    rule: `a folder has at most ${FOLDER} files, tests aside`,
    breaks: ({ path }, all) => {
      const folder = posix.dirname(path)
      const files = all.filter((one) => posix.dirname(one.path) === folder && !isTest(one.path))
      return files.length > FOLDER && !isTest(path) ? [`${files.length} files`] : []
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
