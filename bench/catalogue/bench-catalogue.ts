/** All reads of the catalogue in shops of every size: lists, filters, search, suggestions. */
import { ENGINES, type Engine, SHARED_BUFFERS } from '../fill/databases.ts'
import type { Found, Part, Run, Target } from '../part.ts'
import { table } from '../table.ts'
import { type Growth, KINDS, type Kind, measureGrowth, ROUNDS } from './growth.ts'

/** Limits of the 95th percentile in milliseconds, on PostgreSQL, by number of products. */
const LIMITS = [
  { products: 100_000, lists: 15, searches: 40 },
  { products: 1_000_000, lists: 200, searches: 200 },
]
/** The searches with a target. */
const JUDGED = ['search: two frequent words', 'search: two words, one with a typo']

type Measured = { engine: Engine; growths: Growth[] }

const count = (products: number) => products.toLocaleString('en')
const ms = (time: number) => time.toFixed(1)
const lastOf = ({ at }: Growth) => at.at(-1)
const ratioOf = (growth: Growth) => (lastOf(growth)?.p50 ?? 0) / (growth.at[0]?.p50 ?? 1)

function tableOf(growths: Growth[], kind: Kind): string {
  const rows = growths.filter((growth) => growth.kind === kind)
  const sizes = rows[0]?.at.map(({ products }) => count(products)) ?? []
  const header = sizes.flatMap((size) => [`${size}: p50, ms`, 'p95, ms'])
  return table(
    ['asked for', ...header, 'last / first'],
    rows.map((growth) => [
      growth.what,
      ...growth.at.flatMap(({ p50, p95 }) => [ms(p50), ms(p95)]),
      ratioOf(growth).toFixed(2),
    ]),
  )
}

/** Pages far inside take longer by design, in proportion to their offset. */
const isJudgedCall = ({ kind, what }: Growth) => kind === 'call' && !/far behind|middle/.test(what)

const isJudged = (growth: Growth) => isJudgedCall(growth) || JUDGED.includes(growth.what)

function targetOf({ what, kind, at }: Growth): Target[] {
  const last = at.at(-1)
  const limit = last && LIMITS.find(({ products }) => last.products <= products)
  if (!last || !limit) return []
  const most = kind === 'search' ? limit.searches : limit.lists
  return [
    {
      measure: `${what}, PostgreSQL, ${count(last.products)} products, uncached`,
      target: `p95 ≤ ${most} ms`,
      measured: `${ms(last.p95)} ms`,
      reached: last.p95 <= most,
    },
  ]
}

const textOf = (all: Measured[]) =>
  [
    `One visitor after the other, over one connection, with nothing kept in memory (\`CACHE_MB=0\`), one process a shop (\`WORKERS=1\`); the shops of all sizes take turns, each figure is the median of ${ROUNDS} rounds. Names have three to six words of 20,000 that are as unevenly frequent as those of a language, descriptions twenty: the most frequent word stands in about every fourth product. The two words of a search are among the most frequent; the typo lacks a letter; a prefix has three. PostgreSQL has \`shared_buffers=${SHARED_BUFFERS}\`, as whoever has so many products would give it. PGlite is measured up to 100,000 products: it is for shops that have no server, and takes long to be filled.`,
    ...all.flatMap(({ engine, growths }) =>
      growths.length === 0
        ? [`${engine} is not installed here: its part was skipped.`]
        : KINDS.flatMap((kind) => [`### ${TITLES[kind]}, ${engine}`, tableOf(growths, kind)]),
    ),
  ].join('\n\n')

const TITLES: Record<Kind, string> = {
  page: 'Pages',
  call: 'Catalogue calls',
  search: 'Search and suggestions',
}

async function measure({ databases, sizes }: Run): Promise<Found> {
  await databases.fill(sizes)
  const all: Measured[] = []
  for (const engine of ENGINES)
    all.push({ engine, growths: await measureGrowth(databases, engine, sizes) })
  const targets = all
    .filter(({ engine }) => engine === 'PostgreSQL')
    .flatMap(({ growths }) => growths.filter(isJudged).flatMap(targetOf))
  return { text: textOf(all), targets }
}

export const catalogue: Part = { title: 'From small shops to large ones', measure }
