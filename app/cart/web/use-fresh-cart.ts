import { useCallback, useState } from 'react'
import type { Quote } from '#app/checkout/contract.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { cartAtom } from './cart.ts'

/** Results of a quote, besides the cart's own new values. */
export type Findings = {
  /** The ids of products that are no longer sold. */
  gone: ReadonlySet<string>
  /** The former prices of products whose price has changed. */
  priceWas: ReadonlyMap<string, number>
}

const NOTHING: Findings = { gone: new Set(), priceWas: new Map() }

/** The changes since the products were added. Each quote refreshes the stored cart. */
export function useFreshCart() {
  const [findings, setFindings] = useState(NOTHING)
  const refresh = useCallback(({ lines, gone = [], currency }: Quote) => {
    const today = new Map(
      lines.map(({ product: { stock, description: summary, ...product }, priceMinor }) => [
        product._id,
        // none any more where the reduction has ended
        {
          compareAt: undefined,
          ...product,
          summary,
          price: toMajor(priceMinor, currency),
          quantity: stock,
        },
      ]),
    )
    const changed = cartAtom
      .get()
      .filter(({ _id, price }) => (today.get(_id)?.price ?? price) !== price)
    cartAtom.update((cart) => cart.map((entry) => ({ ...entry, ...today.get(entry._id) })))
    setFindings(({ priceWas }) => ({
      gone: new Set(gone),
      priceWas: new Map([...priceWas, ...changed.map(({ _id, price }) => [_id, price] as const)]),
    }))
  }, [])
  const [attempt, setAttempt] = useState(0)
  const retry = () => setAttempt((count) => count + 1)
  return { findings, quoting: { attempt, retry, onQuote: refresh } }
}
