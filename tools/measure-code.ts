/**
 * `npm run measure`: prints the lines and files of production code by area, small files and folders, and in
 * how many places three facts are written.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'

const SMALL_LINES = 20
const CODE = '{app,server,db,bin}/**/*.{ts,tsx}'

/** The names of a fact in code, by fact. */
const FACTS: Record<string, RegExp> = {
  weight: /weightGrams|weight_grams/g,
  'low-stock threshold': /lowStock|low_stock/g,
  combinable: /[iI]sCombinable|is_combinable|combinable/g,
}

/** Lines as `wc -l` counts them. */
const linesIn = (text: string) => text.split('\n').length - 1

const files = globSync(CODE)
  .filter((path) => !/\.test\.tsx?$|\.generated\.ts$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** `app/products`, or `server`. */
function areaOf(path: string): string {
  const [root = '', domain = ''] = path.split('/')
  return root === 'app' && !/\.tsx?$/.test(domain) ? `${root}/${domain}` : root
}

const print = (...cells: (string | number)[]) =>
  process.stdout.write(`| ${cells.map(String).join(' | ')} |\n`)

const areas = Map.groupBy(files, ({ path }) => areaOf(path))
const rows = [...areas].map(([area, members]) => ({
  area,
  lines: members.reduce((sum, { text }) => sum + linesIn(text), 0),
  count: members.length,
}))
print('area', 'lines', 'files')
print('---', '---', '---')
for (const { area, lines, count } of rows.sort((a, b) => b.lines - a.lines))
  print(area, lines, count)
print(
  '**sum**',
  rows.reduce((sum, { lines }) => sum + lines, 0),
  files.length,
)

const folders = Map.groupBy(files, ({ path }) => dirname(path))
const small = files.filter(({ text }) => linesIn(text) <= SMALL_LINES).length
const lonely = [...folders.values()].filter((members) => members.length === 1).length
process.stdout.write(
  `\n${folders.size} folders, ${lonely} with one file; ${small} files with at most ${SMALL_LINES} lines\n\n`,
)

print('fact', 'places', 'files')
print('---', '---', '---')
for (const [fact, words] of Object.entries(FACTS)) {
  const found = files.map(({ text }) => text.match(words)?.length ?? 0).filter((count) => count > 0)
  print(
    fact,
    found.reduce((sum, count) => sum + count, 0),
    found.length,
  )
}
