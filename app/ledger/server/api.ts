import type { Handlers } from '#app/shared/server/mount.ts'
import { offsetOf, setPagingHeaders } from '#app/shared/server/pagination.ts'
import type { Database } from '#db/schema.ts'
import { LEDGER_PAGE_SIZE, type ledgerCalls } from '../admin-contract.ts'
import { categoriesIn, presentEntries, productsIn, stockChanges } from './presenter.ts'
import {
  countEntries,
  selectCategoryNames,
  selectCauses,
  selectEntries,
  selectPaymentOf,
  selectProductNames,
} from './store.ts'

/** A thing, and where it is an order, the payment that made it. */
async function historyOf(db: Database, object: string | undefined): Promise<string[]> {
  if (object === undefined) return []
  const payment = await selectPaymentOf(db, object)
  return payment === undefined ? [object] : [object, payment]
}

export const ledgerHandlers = ({ db }: { db: Database }): Handlers<typeof ledgerCalls> => ({
  async getLedger({ query: { page = 1, object, ...rest }, request, reply }) {
    const size = LEDGER_PAGE_SIZE
    const filter = { ...rest, objects: await historyOf(db, object) }
    const [rows, total] = await Promise.all([
      selectEntries(db, filter, { limit: size, offset: offsetOf(page, size) }),
      countEntries(db, filter),
    ])
    const [categories, products, causes] = await Promise.all([
      selectCategoryNames(db, categoriesIn(rows)),
      selectProductNames(db, productsIn(rows)),
      selectCauses(db, stockChanges(rows)),
    ])
    setPagingHeaders(request, reply, { page, size, total })
    return presentEntries(rows, { categories, products, causes })
  },
})
