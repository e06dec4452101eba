/** Issues invoices: after the purchase, so that no purchase waits for the number of another. */
import { settingsOf } from '#app/settings/server/service.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import type { Job } from '#app/shared/server/domain-module.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { selectSeller } from '#app/taxes/server/service.ts'
import { acquireLock, LOCKS } from '#db/locks.ts'
import type { Database } from '#db/schema.ts'
import { hasInvoicesDue, insertInvoices } from './invoice-store.ts'

/** The seller of an invoice that is issued now. */
export async function sellerToday(db: Database) {
  const [seller, { name }] = await Promise.all([selectSeller(db), settingsOf(db)])
  return { ...seller, name: seller.name || name }
}

/**
 * Issues the invoice of each order that has none yet, also of one that was cancelled meanwhile: its money was
 * taken, and a refund refers to the invoice. Numbers have no gaps, whatever ends the process: each is one
 * more than the largest, in the transaction that stores it. Several processes may call it at once.
 */
export async function issueInvoices(db: Database): Promise<void> {
  if (!(await hasInvoicesDue(db))) return
  await inTransaction(db, SHOP, async (tx) => {
    await acquireLock(tx, LOCKS.invoices)
    const { name, address, taxNumber } = await sellerToday(tx)
    await insertInvoices(tx, {
      seller_name: name,
      seller_address: address,
      seller_tax_number: taxNumber,
    })
  })
}

export const invoiceJob = (db: Database): Job => ({
  name: 'issuing invoices',
  everyMs: 5000,
  run: () => issueInvoices(db),
})
