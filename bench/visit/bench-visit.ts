/** A first visit on a slow phone, as Lighthouse simulates it. Other work on the machine changes the result. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { productCalls } from '#app/products/contract.ts'
import { address } from '#app/shared/web/call.ts'
import { startShopProcess, whenPhotosAreMade } from '#tests/support/shop-process.ts'
import type { Part, Result, Run, Target } from '../part.ts'
import { THIS_CHECKOUT } from '../shop.ts'
import { median } from '../statistics.ts'
import { table } from '../table.ts'
import { BUDGET } from './budget.ts'
import { SCORES, type Visit, visit } from './lighthouse.ts'

const ROUNDS = 3
const PHOTOS_MS = 60_000

type Page = { name: string; visits: Visit[] }

const NUMBERS = [...SCORES, 'fcp', 'lcp', 'tbt', 'cls'] as const

function figuresOf({ visits }: Page) {
  const of = (name: (typeof NUMBERS)[number]) => median(visits.map((one) => one[name]))
  return { scores: SCORES.map(of), fcp: of('fcp'), lcp: of('lcp'), tbt: of('tbt'), cls: of('cls') }
}

const HEADER = ['page', ...SCORES, 'FCP, ms', 'LCP, ms', 'TBT, ms', 'CLS']

function rowOf(page: Page): string[] {
  const { scores, fcp, lcp, tbt, cls } = figuresOf(page)
  return [page.name, ...[...scores, ...[fcp, lcp, tbt].map(Math.round), cls].map(String)]
}

/** The five pages that are visited. */
async function pagesOf(shop: string): Promise<[name: string, path: string][]> {
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

async function visitAll(shop: string, rounds: number): Promise<Page[]> {
  const pages = (await pagesOf(shop)).map(([name, path]) => ({ name, path, visits: [] as Visit[] }))
  for (let round = 0; round < rounds; round++) {
    for (const { path, visits } of pages) visits.push(await visit(shop + path))
  }
  return pages
}

const textOf = (pages: Page[]) => {
  const indexes = pages.flatMap(({ visits }) => visits.map(({ machine }) => machine))
  return `Lighthouse's mobile preset (a slow phone on slow 4G, simulated) on the demo, each visit with an empty browser cache, medians of ${ROUNDS} visits. Scores and times depend on the machine, whose benchmark index by Lighthouse was ${Math.min(...indexes)} to ${Math.max(...indexes)}.

${table(HEADER, pages.map(rowOf))}`
}

type Judged = {
  measure: string
  bound: string
  values: number[]
  isReached: (value: number) => boolean
}

/** A target is reached when every page reaches it. */
function targetsOf(pages: Page[]): Target[] {
  const figures = pages.map(figuresOf)
  const judged: Judged[] = [
    {
      measure: "Lighthouse's scores",
      bound: `≥ ${BUDGET.score}`,
      values: figures.map(({ scores }) => Math.min(...scores)),
      isReached: (score) => score >= BUDGET.score,
    },
    {
      measure: 'LCP, simulated',
      bound: `≤ ${BUDGET.lcp} ms`,
      values: figures.map(({ lcp }) => Math.round(lcp)),
      isReached: (lcp) => lcp <= BUDGET.lcp,
    },
    {
      measure: 'TBT, simulated',
      bound: `≤ ${BUDGET.tbt} ms`,
      values: figures.map(({ tbt }) => Math.round(tbt)),
      isReached: (tbt) => tbt <= BUDGET.tbt,
    },
    {
      measure: 'CLS',
      bound: `${BUDGET.cls}`,
      values: figures.map(({ cls }) => cls),
      isReached: (cls) => cls <= BUDGET.cls,
    },
  ]
  return judged.map(({ measure, bound, values, isReached }) => ({
    measure: `${measure}, ${pages.map(({ name }) => name).join(', ')}`,
    target: bound,
    measured: values.join(', '),
    reached: values.every(isReached),
  }))
}

async function measure({ checkout, isShort }: Run): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'haat-bench-'))
  const settings = { DATA_DIR: folder, DEMO: 'on', SANDBOX_SECRET: 'bench' }
  const shop = await startShopProcess(settings, checkout)
  // another checkout may not report its photos
  await (checkout === THIS_CHECKOUT ? whenPhotosAreMade(shop) : sleep(PHOTOS_MS))
  try {
    const pages = await visitAll(shop.address, isShort ? 1 : ROUNDS)
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
