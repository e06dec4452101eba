/** The back office of a large shop: lists, exports and imports. */
import type { Watched } from '../memory.ts'
import type { Found, Part, Target } from '../part.ts'
import { table } from '../table.ts'
import { type Import, measureImports } from './imports.ts'
import { ALLOWED_MS, type Measured } from './lists.ts'
import { COUNT, measureOnPostgres, type OnPostgres } from './on-postgres.ts'

/** Rows imported; the other numbers show that memory does not grow with the file. */
const IMPORTS = [2000, 10_000, 40_000]
const ALLOWED = { rows: 10_000, seconds: 20, growthMb: 32 }

const ms = (milliseconds: number) => milliseconds.toFixed(1)
const seconds = (number: number) => `${number.toFixed(1)} s`
const MEMORY = ['memory before', 'at most', 'growth', 'objects at most']
const memory = ({ before, peak }: Watched<number>) =>
  [before.residentMb, peak.residentMb, peak.residentMb - before.residentMb, peak.heapMb].map(
    (mb) => `${mb} MB`,
  )

const listTable = (lists: Measured[]) =>
  table(
    ['list', 'rows', 'median, ms', 'p95, ms'],
    lists.map(({ what, rows, median, p95 }) => [what, String(rows), ms(median), ms(p95)]),
  )

const exportTable = ({ exports }: OnPostgres) =>
  table(
    ['export', 'size', 'time', ...MEMORY],
    Object.entries(exports).map(([what, watched]) => [
      what,
      `${(watched.result / 2 ** 20).toFixed(1)} MB`,
      seconds(watched.seconds),
      ...memory(watched),
    ]),
  )

const importTable = (imports: Import[]) =>
  table(
    ['import', 'database', 'time', ...MEMORY],
    imports
      .toSorted((a, b) => Number(b.embedded) - Number(a.embedded))
      .map((one) => [
        `${one.rows} rows`,
        one.embedded ? 'embedded' : 'PostgreSQL',
        seconds(one.seconds),
        ...memory(one),
      ]),
  )

const waitTable = (imports: Import[]) =>
  table(
    ['import', 'database', 'time', "a guest's longest wait", "a sale's longest wait"],
    imports.flatMap(({ rows, embedded, waits }) =>
      waits.map(({ what, ...wait }) => [
        `${rows} rows, ${what}`,
        embedded ? 'embedded' : 'PostgreSQL',
        seconds(wait.seconds),
        `${ms(wait.guestMs)} ms`,
        `${ms(wait.saleMs)} ms`,
      ]),
    ),
  )

const onPostgres = (measured: OnPostgres) => `### Lists, on PostgreSQL

PostgreSQL ${measured.version} with ${COUNT} products, ${COUNT} users and ${COUNT} orders, which took ${seconds(measured.seeding)} to seed. Each line is 25 requests one after the other, through the whole server. A median may take ${ALLOWED_MS} ms.

${listTable(measured.lists)}

### Exports of all of it, over HTTP

${exportTable(measured)}
`

const textOf = (
  measured: OnPostgres | null,
  imports: Import[],
) => `${measured ? onPostgres(measured) : 'PostgreSQL is not installed here: its part was skipped.\n'}
### Imports of products

New products into an empty shop, in a process with the memory limits of \`npm start\`. ${ALLOWED.rows} rows may take ${ALLOWED.seconds} s on the embedded database. What the import itself holds is a batch of rows among the objects, however long the file. A longer one leaves some MB more of garbage that waits to be collected. On PostgreSQL, where the process holds nothing but the import, it may grow by ${ALLOWED.growthMb} MB, however many rows there are. The embedded database lives in the process: there the growth beyond that is PostgreSQL's own. It reserves its memory at the start, 32 MB of it for buffers, and the system counts what it touches for the first time; what is reserved does not grow.

${importTable(imports)}

What others wait for meanwhile, who ask again and again in the same process: a guest for a page of products, a customer to buy. Where the products are new, the one that is sold is another; where they change, it is one of them, and its sale waits until they are written. The embedded database has one connection, so everybody who asks it waits for the transaction that writes, however short its statements are.

${waitTable(imports)}
`

function listTarget(lists: Measured[]): Target[] {
  const [slowest] = lists.toSorted((a, b) => b.median - a.median)
  if (!slowest) return []
  return [
    {
      measure: `any list of the back office, ${COUNT.toLocaleString('en')} products, users and orders`,
      target: `median ≤ ${ALLOWED_MS} ms`,
      measured: `${ms(slowest.median)} ms (${slowest.what})`,
      reached: slowest.median <= ALLOWED_MS,
    },
  ]
}

function importTargets(imports: Import[]): Target[] {
  const timed = imports.filter((one) => one.rows <= ALLOWED.rows)
  const slowest = Math.max(...timed.map((one) => one.seconds))
  const onServer = imports.filter(({ embedded }) => !embedded)
  const growth = Math.max(
    ...onServer.map(({ before, peak }) => peak.residentMb - before.residentMb),
  )
  const memory = {
    measure: 'growth of memory by an import of any length, PostgreSQL',
    target: `≤ ${ALLOWED.growthMb} MB`,
    measured: `${growth} MB`,
    reached: growth <= ALLOWED.growthMb,
  }
  return [
    {
      measure: `import of ${ALLOWED.rows.toLocaleString('en')} products`,
      target: `≤ ${ALLOWED.seconds} s`,
      measured: seconds(slowest),
      reached: slowest <= ALLOWED.seconds,
    },
    ...(onServer.length > 0 ? [memory] : []),
  ]
}

async function measure(): Promise<Found> {
  const measured = await measureOnPostgres()
  if (!measured) console.log('PostgreSQL is not installed here: its part is skipped.')
  const imports = await measureImports(IMPORTS, ALLOWED.rows)
  return {
    text: textOf(measured, imports),
    targets: [...listTarget(measured?.lists ?? []), ...importTargets(imports)],
  }
}

export const admin: Part = { title: 'The back office', measure }
