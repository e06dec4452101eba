import { useStore } from 'jotai'
import { useCallback, useEffect, useState } from 'react'
import { productCalls } from '#app/products/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { CallFailure } from '#app/shared/web/call.ts'
import { useHydrated } from '#app/shared/web/storage/use-hydrated.ts'
import { type CartEntry, cartAtom, linesOf } from './cart.ts'

/** What the server said about the cart, besides what now stands in the cart itself. */
export type Findings = {
  /** The ids of what is sold no longer. */
  gone: ReadonlySet<string>
  /** The prices that have changed, as they were when the products were added. */
  priceWas: ReadonlyMap<string, number>
}

const NOTHING: Findings = { gone: new Set(), priceWas: new Map() }

/** Questions under way at a time. */
const LANES = 6

/** The product as it is today; null when it is gone, undefined when that cannot be known now. */
async function lookUp({ _id, slug }: CartEntry): Promise<CartEntry | null | undefined> {
  try {
    const { product } = await call(productCalls.getProduct, { params: { slug } })
    return product._id === _id ? product : null
  } catch (error) {
    return error instanceof CallFailure && error.status === 404 ? null : undefined
  }
}

async function lookUpAll(products: CartEntry[]) {
  const found = new Map<string, CartEntry | null>()
  const queue = products.values()
  const lane = async () => {
    for (const product of queue) {
      const today = await lookUp(product)
      if (today !== undefined) found.set(product._id, today)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return found
}

function compare(before: CartEntry[], found: Map<string, CartEntry | null>): Findings {
  const gone = before.filter(({ _id }) => found.get(_id) === null)
  const changed = before.filter(({ _id, price }) => (found.get(_id)?.price ?? price) !== price)
  return {
    gone: new Set(gone.map(({ _id }) => _id)),
    priceWas: new Map(changed.map(({ _id, price }) => [_id, price])),
  }
}

/**
 * Brings prices, stock and names in the stored cart up to date as soon as the cart opens, and
 * whenever `check` is called. What cannot be reached stays as it was: the server judges at the
 * checkout anyway.
 */
export function useFreshCart(): Findings & { check: () => Promise<void> } {
  const hydrated = useHydrated()
  const store = useStore()
  const [findings, setFindings] = useState(NOTHING)
  const check = useCallback(async () => {
    const before = linesOf(store.get(cartAtom)).map(({ product }) => product)
    if (before.length === 0) return
    const found = await lookUpAll(before)
    const { gone, priceWas } = compare(before, found)
    store.set(cartAtom, (cart) => cart.map((entry) => found.get(entry._id) ?? entry))
    setFindings((known) => ({ gone, priceWas: new Map([...known.priceWas, ...priceWas]) }))
  }, [store])
  useEffect(() => {
    if (hydrated) void check()
  }, [hydrated, check])
  return { ...findings, check }
}
