/**
 * A first visit on a slow phone: throttled, and as Lighthouse simulates it, beside the shop of another
 * checkout. Other work on the machine changes the result.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { productCalls } from '#app/products/contract.ts'
import { address } from '#app/shared/web/call.ts'
import { findChromium } from '#tests/support/chromium.ts'
import { startShopProcess, whenPhotosAreMade } from '#tests/support/shop-process.ts'
import type { Part, Result, Run, Target } from '../part.ts'
import { commitOf, THIS_CHECKOUT } from '../shop.ts'
import { median, medianRatio } from '../statistics.ts'
import { table } from '../table.ts'
import { BUDGET } from './budget.ts'
import { SCORES, type Visit, visit } from './lighthouse.ts'
import { type SlowVisit, visitSlowly } from './throttled.ts'

const ROUNDS = 3
const SLOW_ROUNDS = 7
/** The most that the other checkout may be faster on the throttled phone: noise. */
const NOISE = 1.05
/** The most blocking time that a page may have more than in the other checkout, in ms: one task's noise. */
const BLOCKING_NOISE = 50

type Page = { name: string; url: string; visits: Visit[]; slow: SlowVisit[] }
/** `other` is the commit of another checkout. */
type Shop = { other: string | undefined; pages: Page[]; stop: () => Promise<void> }

/** The pages on which something can be added to the cart. */
const SLOW = ['home', 'product']

const NUMBERS = [...SCORES, 'fcp', 'lcp', 'tbt', 'cls'] as const

function figuresOf({ visits }: Page) {
  const of = (name: (typeof NUMBERS)[number]) => median(visits.map((one) => one[name]))
  return { scores: SCORES.map(of), fcp: of('fcp'), lcp: of('lcp'), tbt: of('tbt'), cls: of('cls') }
}

const HEADER = ['page', ...SCORES, 'FCP, ms', 'LCP, ms', 'TBT, ms', 'CLS']
const SLOW_HEADER = ['page', 'LCP, ms', 'blocking time, ms', "'Add to Cart' works, ms"]

function rowOf(page: Page): string[] {
  const { scores, fcp, lcp, tbt, cls } = figuresOf(page)
  return [...[...scores, ...[fcp, lcp, tbt].map(Math.round), cls].map(String)]
}

const timesOf = ({ slow }: Page, name: keyof SlowVisit) => slow.map((one) => one[name])
const slowMedian = (page: Page, name: keyof SlowVisit) => Math.round(median(timesOf(page, name)))

const slowRowOf = (page: Page) =>
  (['lcp', 'blocked', 'added'] as const).map((name) => String(slowMedian(page, name)))

const slowPagesOf = ({ pages }: Shop) => pages.filter(({ name }) => SLOW.includes(name))

/** The five pages that are visited. */
async function pagesOf(shop: string): Promise<Page[]> {
  const list = await fetch(shop + address(productCalls.listProducts, { page: 1 }, {}))
  const { products } = await list.json()
  const [{ slug }] = products
  const answer = await fetch(shop + address(productCalls.getProduct, { slug }, {}))
  const { product } = await answer.json()
  const paths = {
    home: '/',
    category: `/category/${product.category.slug}`,
    product: `/product/${slug}`,
    search: '/search?q=lamp',
    cart: '/cart',
  }
  return Object.entries(paths).map(([name, path]) => ({
    name,
    url: shop + path,
    visits: [],
    slow: [],
  }))
}

/** The shops take turns, each with a new browser. */
async function visitAll(shops: Shop[], rounds: { slow: number; simulated: number }) {
  for (let round = 0; round < rounds.slow; round++) {
    for (const page of shops.flatMap(slowPagesOf)) {
      const browser = await chromium.launch(await findChromium())
      page.slow.push(await visitSlowly(browser, page.url).finally(() => browser.close()))
    }
  }
  for (const page of shops.flatMap(slowPagesOf))
    console.log(`Measured: ${page.url}, throttled: ${slowRowOf(page).join(', ')} ms`)
  for (let round = 0; round < rounds.simulated; round++) {
    for (const page of shops.flatMap(({ pages }) => pages)) page.visits.push(await visit(page.url))
  }
}

/** A row for each page of each shop. */
const rowsOf = (shops: Shop[], pagesOf: (shop: Shop) => Page[], row: (page: Page) => string[]) =>
  shops.flatMap((shop) =>
    pagesOf(shop).map((page) => [
      shop.other ? `${page.name}, ${shop.other}` : page.name,
      ...row(page),
    ]),
  )

const textOf = (shops: Shop[]) => {
  const indexes = shops.flatMap(({ pages }) =>
    pages.flatMap(({ visits }) => visits.map(({ machine }) => machine)),
  )
  return [
    `The demo, each visit with an empty browser cache${shops.length > 1 ? '; the shops take turns' : ''}.`,
    `Throttled: Chromium as a phone with 1.6 Mbit/s, 150 ms and a quarter of the processor, medians of ${SLOW_ROUNDS} visits. 'Add to Cart' is tapped from the first paint on, again and again; it works when a product is in the cart. Blocking time is what tasks between the first paint and then last above 50 ms.`,
    table(SLOW_HEADER, rowsOf(shops, slowPagesOf, slowRowOf)),
    `Simulated: Lighthouse's mobile preset (a slow phone on slow 4G), medians of ${ROUNDS} visits. Scores and times depend on the machine, whose benchmark index by Lighthouse was ${Math.min(...indexes)} to ${Math.max(...indexes)}. Lighthouse loads a page from this machine at full speed, and counts all scripts that have arrived before the first paint into the LCP, so it is not judged.`,
    table(
      HEADER,
      rowsOf(shops, ({ pages }) => pages, rowOf),
    ),
  ].join('\n\n')
}

type Judged = {
  measure: string
  bound: string
  values: number[]
  isReached: (value: number) => boolean
}

/** A target is reached when every page reaches it. */
const targetOf = (pages: Page[], { measure, bound, values, isReached }: Judged): Target => ({
  measure: `${measure}, ${pages.map(({ name }) => name).join(', ')}`,
  target: bound,
  measured: values.join(', '),
  reached: values.every(isReached),
})

function simulatedTargets(pages: Page[]): Target[] {
  const figures = pages.map(figuresOf)
  const judged: Judged[] = [
    {
      measure: "Lighthouse's scores",
      bound: `≥ ${BUDGET.score}`,
      values: figures.map(({ scores }) => Math.min(...scores)),
      isReached: (score) => score >= BUDGET.score,
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
  return judged.map((one) => targetOf(pages, one))
}

function throttledTargets(shop: Shop, before: Shop | undefined): Target[] {
  const pages = slowPagesOf(shop)
  const lcp: Judged = {
    measure: 'LCP, throttled',
    bound: `≤ ${BUDGET.lcp} ms`,
    values: pages.map((page) => slowMedian(page, 'lcp')),
    isReached: (time) => time <= BUDGET.lcp,
  }
  if (!before) return [targetOf(pages, lcp)]
  const others = slowPagesOf(before)
  const compared = (measure: string, name: keyof SlowVisit): Judged => ({
    measure: `${measure}, throttled, of commit ${before.other}`,
    bound: `≤ ${NOISE}`,
    values: pages.map((page, at) => {
      const other = others[at]
      const ratio = other ? medianRatio(timesOf(page, name), timesOf(other, name)) : Number.NaN
      return Number(ratio.toFixed(2))
    }),
    isReached: (ratio) => ratio <= NOISE,
  })
  // a difference, because the blocking time of a good page is zero
  const blocking: Judged = {
    measure: `Blocking time, throttled, above commit ${before.other}`,
    bound: `≤ ${BLOCKING_NOISE} ms`,
    values: pages.map((page, at) => {
      const other = others[at]
      return other ? slowMedian(page, 'blocked') - slowMedian(other, 'blocked') : Number.NaN
    }),
    isReached: (more) => more <= BLOCKING_NOISE,
  }
  const all = [lcp, compared('LCP', 'lcp'), blocking, compared("'Add to Cart' works", 'added')]
  return all.map((one) => targetOf(pages, one))
}

async function openShop(checkout: string): Promise<Shop> {
  const folder = await mkdtemp(join(tmpdir(), 'haat-bench-'))
  const settings = { DATA_DIR: folder, DEMO: 'on', SANDBOX_SECRET: 'bench' }
  const shop = await startShopProcess(settings, checkout)
  await whenPhotosAreMade(shop)
  return {
    other: checkout === THIS_CHECKOUT ? undefined : commitOf(checkout),
    pages: await pagesOf(shop.address),
    stop: async () => {
      await shop.stop()
      await rm(folder, { recursive: true })
    },
  }
}

async function measure({ checkout, isShort }: Run): Promise<Result> {
  const shops: Shop[] = []
  try {
    const shop = await openShop(THIS_CHECKOUT)
    shops.push(shop)
    if (checkout !== THIS_CHECKOUT) shops.push(await openShop(checkout))
    await visitAll(shops, {
      slow: isShort ? 1 : SLOW_ROUNDS,
      simulated: isShort ? 1 : ROUNDS,
    })
    const targets = [...throttledTargets(shop, shops[1]), ...simulatedTargets(shop.pages)]
    const complaints = shop.pages.flatMap(({ visits }) => visits.flatMap((one) => one.complaints))
    if (targets.some(({ reached }) => !reached))
      for (const one of new Set(complaints)) console.error(one)
    return { text: textOf(shops), targets }
  } finally {
    for (const { stop } of shops) await stop()
  }
}

export const visits: Part = { title: 'The first visit', measure, comparesShops: true }
