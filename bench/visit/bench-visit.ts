/**
 * A first visit on a slow phone, simulated by Lighthouse. Other load on the machine distorts it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { productCalls } from '#app/products/contract.ts'
import { address } from '#app/shared/web/call.ts'
import { startShopProcess, whenPhotosAreMade } from '#tests/support/shop-process.ts'
import type { Found, Part, Target } from '../part.ts'
import { median } from '../statistics.ts'
import { table } from '../table.ts'
import { BUDGET } from './budget.ts'
import { SCORES, type Visit, visit } from './lighthouse.ts'

const ROUNDS = 3

type Page = { what: string; visits: Visit[] }

const NUMBERS = [...SCORES, 'fcp', 'lcp', 'tbt', 'cls'] as const

function figuresOf({ visits }: Page) {
  const of = (name: (typeof NUMBERS)[number]) => median(visits.map((one) => one[name]))
  return { scores: SCORES.map(of), fcp: of('fcp'), lcp: of('lcp'), tbt: of('tbt'), cls: of('cls') }
}

const HEADER = ['page', ...SCORES, 'FCP, ms', 'LCP, ms', 'TBT, ms', 'CLS']

function rowOf(page: Page): string[] {
  const { scores, fcp, lcp, tbt, cls } = figuresOf(page)
  return [page.what, ...[...scores, ...[fcp, lcp, tbt].map(Math.round), cls].map(String)]
}

/** The five pages of a visit. */
async function pagesOf(shop: string): Promise<[what: string, path: string][]> {
  const list = await fetch(shop + address(productCalls.listProducts, { page: 1 }, {}))
  const { products } = await list.json()
  const [{ slug }] = products
  const answer = await fetch(shop + address(productCalls.getProduct, { slug }, {}))
  const { product } = await answer.json()
  return [
    ['home', '/'],
    ['category', `/category/${product.category.slug}`],
    ['product', `/product/${slug}`],
    ['search', '/search?q=lamp'],
    ['cart', '/cart'],
  ]
}

async function visitAll(shop: string): Promise<Page[]> {
  const pages = (await pagesOf(shop)).map(([what, path]) => ({ what, path, visits: [] as Visit[] }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const { path, visits } of pages) visits.push(await visit(shop + path))
  }
  return pages
}

const textOf = (
  pages: Page[],
) => `Lighthouse's mobile preset (a slow phone on slow 4G, simulated) on the demo, medians of ${ROUNDS} visits with nothing kept.

${table(HEADER, pages.map(rowOf))}`

type Judged = {
  measure: string
  bound: string
  values: number[]
  isKept: (value: number) => boolean
}

/** All pages together: the worst value counts. */
function targetsOf(pages: Page[]): Target[] {
  const figures = pages.map(figuresOf)
  const judged: Judged[] = [
    {
      measure: "Lighthouse's scores",
      bound: `≥ ${BUDGET.score}`,
      values: figures.map(({ scores }) => Math.min(...scores)),
      isKept: (score) => score >= BUDGET.score,
    },
    {
      measure: 'LCP, simulated',
      bound: `≤ ${BUDGET.lcp} ms`,
      values: figures.map(({ lcp }) => Math.round(lcp)),
      isKept: (lcp) => lcp <= BUDGET.lcp,
    },
    {
      measure: 'TBT, simulated',
      bound: `≤ ${BUDGET.tbt} ms`,
      values: figures.map(({ tbt }) => Math.round(tbt)),
      isKept: (tbt) => tbt <= BUDGET.tbt,
    },
    {
      measure: 'CLS',
      bound: `${BUDGET.cls}`,
      values: figures.map(({ cls }) => cls),
      isKept: (cls) => cls <= BUDGET.cls,
    },
  ]
  return judged.map(({ measure, bound, values, isKept }) => ({
    measure: `${measure}, ${pages.map(({ what }) => what).join(', ')}`,
    target: bound,
    measured: values.join(', '),
    reached: values.every(isKept),
  }))
}

async function measure(): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), 'haat-bench-'))
  const shop = await startShopProcess({ DATA_DIR: folder, DEMO: 'on', SANDBOX_SECRET: 'bench' })
  await whenPhotosAreMade(shop)
  try {
    const pages = await visitAll(shop.address)
    const targets = targetsOf(pages)
    const complaints = new Set(
      pages.flatMap(({ visits }) => visits.flatMap((one) => one.complaints)),
    )
    if (targets.some(({ reached }) => !reached)) for (const one of complaints) console.error(one)
    return { text: textOf(pages), targets }
  } finally {
    await shop.stop()
    await rm(folder, { recursive: true })
  }
}

export const visits: Part = { title: 'The first visit', measure }
