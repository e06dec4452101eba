/** A first visit on a slow phone, as Lighthouse simulates it. Alone on the machine, or it measures the others. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { productCalls } from '#app/products/contract.ts'
import { address } from '#app/shared/web/call.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'
import { describeMachine } from '../machine.ts'
import { table } from '../table.ts'
import { BUDGET } from './budget.ts'
import { SCORES, type Visit, visit } from './lighthouse.ts'
import { TITLE, writeSection } from './section.ts'

const ROUNDS = 3

const median = (numbers: number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

type Page = { what: string; visits: Visit[] }

const NUMBERS = [...SCORES, 'fcp', 'lcp', 'tbt', 'cls'] as const

function figuresOf({ visits }: Page) {
  const of = (name: (typeof NUMBERS)[number]) => median(visits.map((one) => one[name]))
  return { scores: SCORES.map(of), fcp: of('fcp'), lcp: of('lcp'), tbt: of('tbt'), cls: of('cls') }
}

/** What of a page is not as it has to be, in words. */
function faultsOf(page: Page): string[] {
  const { scores, lcp, tbt, cls } = figuresOf(page)
  return [
    scores.some((score) => score < BUDGET.score) && `scores ${scores.join(', ')} of 100`,
    lcp > BUDGET.lcp && `shows its largest thing after ${Math.round(lcp)} ms`,
    tbt > BUDGET.tbt && `is deaf for ${Math.round(tbt)} ms`,
    cls > BUDGET.cls && `jumps by ${cls}`,
  ].flatMap((fault) => (fault ? [`The ${page.what} page ${fault}.`] : []))
}

const HEADER = ['page', ...SCORES, 'FCP, ms', 'LCP, ms', 'TBT, ms', 'CLS']

function rowOf(page: Page): string[] {
  const { scores, fcp, lcp, tbt, cls } = figuresOf(page)
  return [page.what, ...[...scores, ...[fcp, lcp, tbt].map(Math.round), cls].map(String)]
}

/** The five pages on which a visit begins, or ends. */
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

const sectionOf = (machine: string, pages: Page[]) => `${TITLE}

Written by \`npm run bench -- visit\` on ${new Date().toISOString().slice(0, 10)}: ${machine} when it began. Lighthouse's mobile preset (a slow phone on slow 4G, simulated) on the demo, medians of ${ROUNDS} visits with nothing kept. No score may be under ${BUDGET.score}, LCP over ${BUDGET.lcp} ms, TBT over ${BUDGET.tbt} ms, CLS over ${BUDGET.cls}.

${table(HEADER, pages.map(rowOf))}
`

/** Measures, prints and writes it down; false when a page is not as good as it has to be. */
export async function benchVisit(): Promise<boolean> {
  const machine = describeMachine()
  const folder = await mkdtemp(join(tmpdir(), 'haat-bench-'))
  const shop = await startShopProcess({ DATA_DIR: folder, DEMO: 'on', SANDBOX_SECRET: 'bench' })
  try {
    const pages = await visitAll(shop.address)
    const section = sectionOf(machine, pages)
    console.log(section)
    await writeSection(section)
    const faulty = pages.filter((page) => faultsOf(page).length > 0)
    for (const page of faulty) {
      for (const fault of faultsOf(page)) console.error(fault)
      for (const one of new Set(page.visits.flatMap((each) => each.complaints))) {
        console.error(`  ${one}`)
      }
    }
    return faulty.length === 0
  } finally {
    await shop.stop()
    await rm(folder, { recursive: true })
  }
}
