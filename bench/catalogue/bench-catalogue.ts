/** Everything that reads the catalogue, in shops of every size: lists, filters, search, suggestions. */
import { writeFile } from 'node:fs/promises'
import { farPage } from '../asks.ts'
import { ENGINES, type Engine, SHARED_BUFFERS } from '../fill/databases.ts'
import type { Found, Part, Run, Target } from '../part.ts'
import { table } from '../table.ts'
import { drawChart, type Panel } from './chart.ts'
import { type Growth, KINDS, type Kind, measureGrowth, ROUNDS } from './growth.ts'

const CHART = new URL('../../docs/growth.svg', import.meta.url)
const GROWTH = 1.5
/** A page far behind, to the first one. */
const DEPTH = 3
/** The 95th percentile, in milliseconds. */
const SEARCH_MS = {
  PostgreSQL: { 'two frequent words': 25, 'two words, one with a typo': 60, suggest: 10 },
  PGlite: { 'two frequent words': 30, 'two words, one with a typo': 80 },
}

/** What the chart shows; more would be illegible. */
const DRAWN = [
  ...['home page', 'product-list, in the middle', 'get-product, one', 'product-filters, both'],
  ...['product-category, by price', 'search: two frequent words'],
  ...['search: two words, one with a typo', 'suggest'],
]

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

function growthTarget({ engine, growths }: Measured): Target[] {
  const calls = growths.filter(({ kind }) => kind === 'call')
  const [worst] = calls.toSorted((a, b) => ratioOf(b) - ratioOf(a))
  const [first, last] = [worst?.at[0], worst && lastOf(worst)]
  if (engine !== 'PostgreSQL' || !worst || !first || !last) return []
  return [
    {
      measure: `any catalogue call, uncached, ${count(last.products)} products against ${count(first.products)}`,
      target: `≤ ${GROWTH} × the time`,
      measured: `${ratioOf(worst).toFixed(2)} (${worst.what}: ${ms(first.p50)} to ${ms(last.p50)} ms)`,
      reached: ratioOf(worst) <= GROWTH,
    },
  ]
}

function depthTarget({ engine, growths }: Measured): Target[] {
  const [first, behind] = ['page 1', 'far behind'].map((where) =>
    growths.find(({ what }) => what === `product-list, ${where}`),
  )
  const [near, far] = [first && lastOf(first), behind && lastOf(behind)]
  if (!near || !far) return []
  const page = count(farPage(far.products))
  return [
    {
      measure: `page ${page} of ${count(far.products)} products, ${engine}, uncached, against page 1`,
      target: `≤ ${DEPTH} × the time`,
      measured: `${(far.p50 / near.p50).toFixed(2)} (${ms(near.p50)} and ${ms(far.p50)} ms)`,
      reached: far.p50 / near.p50 <= DEPTH,
    },
  ]
}

function searchTargets({ engine, growths }: Measured): Target[] {
  return Object.entries(SEARCH_MS[engine]).flatMap(([what, most]) => {
    const growth = growths.find((one) => one.what.replace('search: ', '') === what)
    const last = growth && lastOf(growth)
    if (!growth || !last) return []
    return {
      measure: `${growth.what}, ${engine}, ${count(last.products)} products, uncached`,
      target: `p95 ≤ ${most} ms`,
      measured: `${ms(last.p95)} ms`,
      reached: last.p95 <= most,
    }
  })
}

function panelOf({ engine, growths }: Measured): Panel {
  const drawn = growths.filter(({ what }) => DRAWN.includes(what))
  const lines = drawn.map(({ what, at }) => ({
    name: what,
    points: at.map(({ products, p50 }) => ({ products, ms: p50 })),
  }))
  return { title: `${engine}: milliseconds by number of products`, lines }
}

const textOf = (all: Measured[]) =>
  [
    `One visitor after the other, over one connection, with nothing kept in memory (\`CACHE_MB=0\`), one process a shop (\`WORKERS=1\`); the shops of all sizes take turns, each figure is the median of ${ROUNDS} rounds. Names have three to six words of 20,000 that are as unevenly frequent as those of a language, descriptions twenty: the most frequent word stands in about every fourth product. The two words of a search are among the most frequent; the typo lacks a letter; a prefix has three. PostgreSQL has \`shared_buffers=${SHARED_BUFFERS}\`, as whoever has so many products would give it. PGlite is measured up to 100,000 products: it is for shops that have no server, and takes long to be filled.`,
    '![How long answers take in shops of growing size](growth.svg)',
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
  const there = all.filter(({ growths }) => growths.length > 0)
  await writeFile(CHART, drawChart('Answer times by catalogue size', there.map(panelOf)))
  return {
    text: textOf(all),
    targets: there.flatMap((one) => [
      ...growthTarget(one),
      ...depthTarget(one),
      ...searchTargets(one),
    ]),
  }
}

export const catalogue: Part = { title: 'From small shops to large ones', measure }
