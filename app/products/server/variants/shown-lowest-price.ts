/** The product with the lowest prices before its reduction, where the merchant shows them. */
import type { DetailedProduct } from '#app/products/contract.ts'
import { settingOf } from '#app/settings/server/service.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import type { Database } from '#db/schema.ts'
import { lowestPrice, type PriceState } from './lowest-price.ts'
import { type PriceHistory, selectReduced } from './price-history-store.ts'

const PERIOD_MS = 30 * 24 * 60 * 60 * 1000

const time = (text: string | null) => (text === null ? null : Date.parse(text))

/** The columns that are there, as times and amounts. */
const stateOf = (columns: Partial<PriceHistory>): Partial<PriceState> => ({
  ...(columns.price_minor !== undefined && { price: columns.price_minor }),
  ...(columns.sale_price_minor !== undefined && { salePrice: columns.sale_price_minor }),
  ...(columns.sale_from !== undefined && { saleFrom: time(columns.sale_from) }),
  ...(columns.sale_until !== undefined && { saleUntil: time(columns.sale_until) }),
})

function lowestOf({ created_at, changes, ...columns }: PriceHistory): number | null {
  const until = time(columns.sale_from) ?? 0
  const now: PriceState = {
    price: columns.price_minor,
    salePrice: null,
    saleFrom: null,
    saleUntil: null,
    ...stateOf(columns),
  }
  return lowestPrice(
    now,
    changes.map(({ at, before }) => ({ at: Date.parse(at), before: stateOf(before) })),
    { from: Math.max(until - PERIOD_MS, Date.parse(created_at)), until },
  )
}

/** Adds the lowest price of the thirty days before its sale to what is reduced. */
export async function withLowestPrice(
  db: Database,
  product: DetailedProduct,
  currency: string,
): Promise<DetailedProduct> {
  const isReduced = [product, ...(product.variants ?? [])].some(
    ({ compareAt }) => compareAt !== undefined,
  )
  if (!isReduced || !(await settingOf(db, 'showsLowestPrice'))) return product
  const lowest = new Map(
    (await selectReduced(db, product._id)).flatMap((history) => {
      const minor = lowestOf(history)
      return minor === null ? [] : [[history.id, toMajor(minor, currency)] as const]
    }),
  )
  const { variants } = product
  // a product without options has one variant
  if (!variants) {
    const [price] = lowest.values()
    return price === undefined ? product : { ...product, lowestPrice: price }
  }
  return {
    ...product,
    variants: variants.map((variant) => {
      const price = lowest.get(variant._id)
      return price === undefined ? variant : { ...variant, lowestPrice: price }
    }),
  }
}
