/**
 * Invoices: the amounts of an order as charged, with rates of tax. They are issued after the purchase, so that
 * no purchase waits for the number of another.
 */
import type { Invoice } from '#app/orders/contract.ts'
import { settingsOf } from '#app/settings/server/service.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import type { Job } from '#app/shared/server/domain-module.ts'
import { notFound } from '#app/shared/server/failure.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { selectSeller } from '#app/taxes/server/service.ts'
import { acquireLock, LOCKS } from '#db/locks.ts'
import type { Database, StoredQuote } from '#db/schema.ts'
import { insertCreditNotes } from './credit-notes/store.ts'
import { hasInvoicesDue, insertInvoices, type SoldOrder, selectSold } from './invoice-store.ts'
import { percentOf, presentByHand, recipientOf } from './presenter.ts'
import { presentVariant } from './sold-products.ts'

/** The seller of an invoice that is issued now. */
async function sellerToday(db: Database) {
  const [seller, { name }] = await Promise.all([selectSeller(db), settingsOf(db)])
  return { ...seller, name: seller.name || name }
}

/**
 * Issues the invoice of each order that has none yet, also of one that was cancelled meanwhile: its money was
 * taken, and a refund refers to the invoice. Numbers have no gaps, whatever ends the process: each is one
 * more than the largest, in the transaction that stores it. Several processes may call it at once. Issues the
 * credit notes that are due, too, which refer to invoices.
 */
export async function issueInvoices(db: Database): Promise<void> {
  if (!(await hasInvoicesDue(db))) return
  await inTransaction(db, SHOP, async (tx) => {
    await acquireLock(tx, LOCKS.invoices)
    const seller = await sellerToday(tx)
    await insertInvoices(tx, seller)
    await insertCreditNotes(tx, seller)
  })
}

export const invoiceJob = (db: Database): Job => ({
  name: 'issuing invoices and credit notes',
  everyMs: 5000,
  run: () => issueInvoices(db),
})

export const presentLine =
  (currency: string) =>
  (line: SoldOrder['lines'][number]): Invoice['lines'][number] => ({
    ...presentVariant(line),
    name: line.name,
    quantity: line.quantity,
    price: toMajor(line.price_minor, currency),
    discount: toMajor(line.discount_minor, currency),
    taxRate: percentOf(line.tax_rate),
    tax: toMajor(line.tax_minor, currency),
    amount: toMajor(line.price_minor * line.quantity - line.discount_minor, currency),
  })

export const presentAdjustment =
  (currency: string) =>
  (adjustment: StoredQuote['adjustments'][number]): Invoice['adjustments'][number] => ({
    kind: adjustment.kind,
    label: adjustment.label,
    amount: toMajor(adjustment.amount_minor, currency),
    included: adjustment.is_included,
    taxRate: percentOf(adjustment.tax_rate),
    tax: toMajor(adjustment.tax_minor, currency),
    basis: adjustment.basis_minor === null ? null : toMajor(adjustment.basis_minor, currency),
  })

/** The account that ordered. */
const buyerOf = (order: SoldOrder): Invoice['buyer'] => ({
  name: order.buyer_name,
  email: order.buyer_email,
  phone: order.buyer_phone,
  address: order.buyer_address,
})

/**
 * The payer that the purchase named; else the account at its own address, where somebody else receives the parcel.
 * Null where the account receives it.
 */
function namedPayerOf(order: SoldOrder): Invoice['buyer'] | null {
  const { billing, buyer_email: email, payer_address } = order
  if (billing) return { name: billing.name, email, phone: billing.phone, address: billing.text }
  return payer_address === null ? null : { ...buyerOf(order), address: payer_address }
}

/** The payer, as documents name them, and the recipient of the parcel where that is another one. */
export function partiesOf(order: SoldOrder): Pick<Invoice, 'buyer' | 'recipient'> {
  const payer = namedPayerOf(order)
  if (!payer) return { buyer: buyerOf(order) }
  const recipient = recipientOf(order)
  const isOther = recipient.name !== payer.name || recipient.address !== payer.address
  // an order that was handed over may have no address
  const isDelivered = recipient.address !== ''
  return { buyer: payer, ...(isOther && isDelivered && { recipient }) }
}

/** The amounts of an order, as charged. */
export const amountsOf = (order: SoldOrder) => ({
  currency: order.currency,
  test: order.test,
  lines: order.lines.map(presentLine(order.currency)),
  subtotal: toMajor(
    order.lines.reduce((sum, line) => sum + line.price_minor * line.quantity, 0),
    order.currency,
  ),
  adjustments: (order.adjustments ?? []).map(presentAdjustment(order.currency)),
  total: toMajor(order.total_minor, order.currency),
})

/** With what is still owed of it, and who receives the parcel: the buyer, or somebody else. */
const amountsOwed = (order: SoldOrder) => ({
  id: order.id,
  ...amountsOf(order),
  buyer: buyerOf(order),
  recipient: recipientOf(order),
  ...presentByHand(order),
})

export type OrderAmounts = ReturnType<typeof amountsOwed>

/** The amounts of some orders, by order. */
export async function amountsOfOrders(db: Database, orderIds: string[]) {
  const orders = await selectSold(db, orderIds)
  return new Map(orders.map((order) => [order.id, amountsOwed(order)]))
}

/** Without an issued invoice, the day of the order and the seller of today. */
const issueOf = async (db: Database, { invoice, ordered_on: date }: SoldOrder) =>
  invoice ?? { number: null, date, seller: await sellerToday(db) }

/**
 * The amounts of an order with its invoice, which is issued now if it is due; with `buyerId` only of this
 * buyer's. Throws `not_found` when there is no such order, and for one that is not paid in full yet.
 */
export async function openInvoice(
  db: Database,
  { orderId, buyerId }: { orderId: string; buyerId?: string },
): Promise<Invoice> {
  const select = async () => {
    const [order] = await selectSold(db, [orderId])
    if (!order || (buyerId !== undefined && order.user_id !== buyerId))
      throw notFound('There is no such order.')
    return order
  }
  let order = await select()
  if (order.by_hand && order.paid_minor < order.total_minor)
    throw notFound('This order has its invoice when it is paid.')
  if (!order.invoice) {
    await issueInvoices(db)
    order = await select()
  }
  return {
    ...(await issueOf(db, order)),
    ...amountsOf(order),
    ...partiesOf(order),
    orderNumber: order.number,
    orderDate: order.ordered_on,
    orderId: order.id,
    paymentId: order.provider_payment_id ?? '',
    ...(order.by_hand && { paidBy: order.by_hand.name }),
    refunded: toMajor(order.refunded_minor, order.currency),
  }
}
