import { useCallback, useEffect, useState } from 'react'
import { productCalls } from '#app/products/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { CallFailure } from '#app/shared/web/call.ts'
import { useHydrated } from '#app/shared/web/storage/use-hydrated.ts'
import { type CartEntry, cartAtom, linesOf } from './cart.ts'

/** Results of the refresh, besides the cart's own new values. */
export type Findings = {
  /** The ids of products that are no longer sold. */
  gone: ReadonlySet<string>
  /** The former prices of products whose price has changed. */
  priceWas: ReadonlyMap<string, number>
}

const NOTHING: Findings = { gone: new Set(), priceWas: new Map() }

/** Concurrent requests. */
const LANES = 6

/** The current product; null when it was deleted, undefined when the server cannot be reached. */
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
 * Refreshes prices, stock and names in the stored cart when the cart opens and whenever `check` is
 * called. Products that cannot be loaded stay as they are; the server checks them at checkout.
 */
export function useFreshCart(): Findings & { check: () => Promise<void> } {
  const hydrated = useHydrated()
  const [findings, setFindings] = useState(NOTHING)
  const check = useCallback(async () => {
    const before = linesOf(cartAtom.get()).map(({ product }) => product)
    if (before.length === 0) return
    const found = await lookUpAll(before)
    const { gone, priceWas } = compare(before, found)
    cartAtom.update((cart) => cart.map((entry) => found.get(entry._id) ?? entry))
    setFindings((known) => ({ gone, priceWas: new Map([...known.priceWas, ...priceWas]) }))
  }, [])
  useEffect(() => {
    if (hydrated) void check()
  }, [hydrated, check])
  return { ...findings, check }
}
