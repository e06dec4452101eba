import type { ListOrder } from '#app/products/contract.ts'
import type { ListPage, Slice } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { bandRange } from '../price-range.ts'
import { type Count, selectCounts } from './counts-store.ts'
import { type Part, selectByPrice, selectNewest, selectNewestFrom } from './page-store.ts'
import { selectBlock, selectPlace } from './place-store.ts'

/** What narrows a list; nothing given means every product. */
export type Choice = {
  categories?: string[] | undefined
  /** Price bands, as the database numbers them. */
  bands?: number[] | undefined
  inStock?: boolean | undefined
}

const ALL_BANDS = [0, 1, 2, 3, 4, 5]
const BOTH = [false, true]

const membersOf = ({ products, inStock }: Count, stock: boolean) =>
  stock ? inStock : products - inStock

const sum = (counts: Count[], stocks: boolean[]) =>
  counts.reduce(
    (total, count) =>
      total + stocks.reduce((members, stock) => members + membersOf(count, stock), 0),
    0,
  )

const stocksOf = (inStock: boolean | undefined) => (inStock ? [true] : BOTH)

/** A list as it was counted. */
type List = { counts: Count[]; bands: number[]; stocks: boolean[] }

/** The categories that are counted each by itself; none where the whole shop is. */
function categoriesOf({ counts }: List): string[] | undefined {
  const categories = new Set(counts.map(({ category }) => category))
  return categories.has(null) ? undefined : [...categories].filter((one) => one !== null)
}

/** Whole categories where nothing else was chosen, otherwise whatever has a member; null for all. */
function partsOf(list: List): Part[] | null {
  const { counts, bands, stocks } = list
  if (bands.length === ALL_BANDS.length && stocks.length === BOTH.length)
    return categoriesOf(list)?.map((category) => ({ category })) ?? null
  return counts.flatMap((count) =>
    stocks
      .filter((stock) => membersOf(count, stock) > 0)
      .map((stock) => ({ category: count.category, band: count.band, stock })),
  )
}

/** Of so few parts each is walked along to the place; of more, what stands there is looked through. */
const FEW_PARTS = 4

async function newest(db: Database, list: List, { limit, offset }: Slice): Promise<string[]> {
  const parts = partsOf(list)
  if (offset === 0) return selectNewest(db, parts, { limit })
  const counted = { ...list, categories: categoriesOf(list) }
  const place = await selectPlace(db, counted, offset)
  if (!place) return []
  return parts === null || parts.length <= FEW_PARTS
    ? selectNewest(db, parts, { ...place, limit })
    : selectNewestFrom(db, parts, counted, { ...place, limit })
}

/** How many products of the category have a price before those of the band. */
function countBefore(
  all: Count[],
  band: number | undefined,
  stocks: boolean[],
  descending: boolean,
) {
  if (band === undefined) return 0
  return sum(
    all.filter((count) => (descending ? count.band > band : count.band < band)),
    stocks,
  )
}

type Priced = { category: string; band: number | undefined; stocks: boolean[]; all: Count[] }

async function byPrice(
  db: Database,
  { category, band, stocks, all }: Priced,
  descending: boolean,
  { limit, offset }: Slice,
) {
  const prices = band === undefined ? undefined : bandRange(band)
  const stretch = { category, stocks, descending, prices, limit }
  if (offset === 0) return selectByPrice(db, { ...stretch, rest: 0 })
  const before = countBefore(all, band, stocks, descending)
  const inStock = stocks.length === 1
  const block = await selectBlock(db, { category, inStock, descending }, before + offset)
  if (!block) return []
  const rest = before + offset - Math.max(before, block.before)
  return selectByPrice(db, { ...stretch, block, rest })
}

/** What a list has, and by how much it would change with another band, or without what is sold out. */
export type Facets = { bands: Map<number, number>; inStock: number }

function facetsOf(all: Count[], inBands: Count[], stocks: boolean[]): Facets {
  const bands = new Map<number, number>()
  for (const count of all) {
    const members = sum([count], stocks)
    if (members > 0) bands.set(count.band, (bands.get(count.band) ?? 0) + members)
  }
  return { bands, inStock: sum(inBands, [true]) }
}

/** A page of the products of any choice, newest first; its cost is that of its choice, not of the shop. */
export async function pageOfList(db: Database, choice: Choice, slice: Slice): Promise<ListPage> {
  const [stocks, counts] = [stocksOf(choice.inStock), await selectCounts(db, choice)]
  const total = sum(counts, stocks)
  if (slice.offset >= total) return { ids: [], total }
  const list = { counts, bands: choice.bands ?? ALL_BANDS, stocks }
  return { ids: await newest(db, list, slice), total }
}

type OfCategory = {
  category: string
  band?: number | undefined
  inStock?: boolean
  order: ListOrder
}

/** A page of a category's products in any order, with what would narrow it. */
export async function pageOfCategory(
  db: Database,
  { category, band, inStock = false, order }: OfCategory,
  slice: Slice,
): Promise<ListPage & { facets: Facets }> {
  const stocks = stocksOf(inStock)
  const all = await selectCounts(db, { categories: [category] })
  const counts = band === undefined ? all : all.filter((count) => count.band === band)
  const [total, facets] = [sum(counts, stocks), facetsOf(all, counts, stocks)]
  if (slice.offset >= total) return { ids: [], total, facets }
  if (order === 'newest') {
    const bands = band === undefined ? ALL_BANDS : [band]
    return { ids: await newest(db, { counts, bands, stocks }, slice), total, facets }
  }
  const list = { category, band, stocks, all }
  return { ids: await byPrice(db, list, order === 'price-down', slice), total, facets }
}
