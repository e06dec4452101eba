/**
 * Sample figures for a shop in which no order counts yet. They are computed in the browser, so no order, stock, e-mail
 * or number of an invoice is made up that had to be removed again.
 */
import { atom } from 'nanostores'
import type { Figures } from '#app/orders/admin-contract.ts'
import { storedAtom } from '#app/shared/web/storage.ts'

/** Whether this browser shows them. */
export const samplesAtom = storedAtom('sample-figures', atom(true), (stored) => stored !== false)

const PRICE = 24.5
const PRODUCTS = ['Sample cup', 'Sample bowl', 'Sample vase']

/** Orders of the day at this place: more on some days than on others. */
const ordersOf = (place: number) => 3 + ((place * 7 + 3) % 5) + (place % 7 > 4 ? 3 : 0)

export function withSamples(figures: Figures): Figures {
  const days = figures.days.map(({ day }, place) => {
    const orders = ordersOf(place)
    return { day, orders, revenue: orders * PRICE }
  })
  const orders = days.reduce((sum, one) => sum + one.orders, 0)
  const totals = (count: number, share: number) => ({
    orders: count,
    revenue: count * PRICE,
    returning: Math.round(count * share),
  })
  return {
    ...figures,
    days,
    totals: totals(orders, 0.3),
    before: totals(Math.round(orders * 0.9), 0.25),
    bestSellers: PRODUCTS.map((name, place) => {
      const pieces = Math.max(1, Math.round(orders / (place + 2)))
      return { _id: name, name, slug: null, pieces, revenue: pieces * PRICE }
    }),
  }
}
