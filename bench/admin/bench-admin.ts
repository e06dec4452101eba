/** The back office of a large shop: its lists, its exports, its imports. */
import { writeFile } from 'node:fs/promises'
import { describeMachine } from '../machine.ts'
import { table } from '../table.ts'
import { type Import, measureImports } from './embedded.ts'
import { ALLOWED_MS, type Measured } from './lists.ts'
import { COUNT, measureOnPostgres, type OnPostgres } from './on-postgres.ts'

const REPORT = new URL('../../docs/benchmarks.md', import.meta.url)

/** Rows imported; the smaller number shows that memory does not grow with the file. */
const IMPORTS = [2000, 10_000]
const ALLOWED_SECONDS = 20

const ms = (milliseconds: number) => milliseconds.toFixed(1)
const seconds = (number: number) => `${number.toFixed(1)} s`
const memory = ({ beforeMb, peakMb }: { beforeMb: number; peakMb: number }) =>
  [beforeMb, peakMb, peakMb - beforeMb].map((mb) => `${mb} MB`)

const listTable = (lists: Measured[]) =>
  table(
    ['list', 'rows', 'median, ms', 'p95, ms'],
    lists.map(({ what, rows, median, p95 }) => [what, String(rows), ms(median), ms(p95)]),
  )

const exportTable = ({ exports }: OnPostgres) =>
  table(
    ['export', 'size', 'time', 'memory before', 'at most', 'growth'],
    Object.entries(exports).map(([what, watched]) => [
      what,
      `${(watched.result / 2 ** 20).toFixed(1)} MB`,
      seconds(watched.seconds),
      ...memory(watched),
    ]),
  )

const importTable = (imports: Import[]) =>
  table(
    ['import', 'time', 'memory before', 'at most', 'growth'],
    imports.map((one) => [`${one.rows} rows`, seconds(one.seconds), ...memory(one)]),
  )

const onPostgres = (measured: OnPostgres) => `## Lists, on PostgreSQL

PostgreSQL ${measured.version} with ${COUNT} products, ${COUNT} users and ${COUNT} orders, which took ${seconds(measured.seeding)} to seed. Each line is 25 requests one after the other, through the whole server. A median may take ${ALLOWED_MS} ms.

${listTable(measured.lists)}

## Exports of all of it, over HTTP

${exportTable(measured)}
`

const report = (measured: OnPostgres | null, imports: Import[]) => `# Benchmarks

Written by \`npm run bench -- admin\` on ${new Date().toISOString().slice(0, 10)}: ${describeMachine()}.

${measured ? onPostgres(measured) : 'PostgreSQL is not installed here: its part was skipped.\n'}
## Imports of products, on the embedded database

New products into an empty shop on the disk. 10000 rows may take ${ALLOWED_SECONDS} s. The growth is nearly all PostgreSQL's own, which lives in the process.

${importTable(imports)}
`

/** Measures, prints and writes it down; false when something is slower than it may be. */
export async function benchAdmin(): Promise<boolean> {
  const measured = await measureOnPostgres()
  if (!measured) console.log('PostgreSQL is not installed here. Its part is skipped.')
  const imports = await measureImports(IMPORTS)
  const text = report(measured, imports)
  console.log(text)
  await writeFile(REPORT, text)
  const slow = (measured?.lists ?? []).filter(({ median }) => median > ALLOWED_MS)
  for (const { what, median } of slow) console.error(`Too slow: ${what} takes ${ms(median)} ms.`)
  const late = imports.filter((one) => one.seconds > ALLOWED_SECONDS)
  for (const one of late) console.error(`Too slow: ${one.rows} rows take ${seconds(one.seconds)}.`)
  return slow.length + late.length === 0
}
