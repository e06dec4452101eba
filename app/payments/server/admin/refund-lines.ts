/** Refunds by lines: what the shop proposes for quantities of an order, its shipping and its fee. */
import { amountOfNext, type ChosenPart, isOfPart, type SoldPart } from '#app/payments/model.ts'
import { conflict, invalid } from '#app/shared/server/failure.ts'
import { sum } from '#app/shared/server/shares.ts'
import type { Database } from '#db/schema.ts'
import { insertRefundLines, type PartRow, selectParts } from './refund-lines-store.ts'

export const soldPartOf = (row: PartRow): SoldPart => ({
  kind: row.kind,
  position: row.position,
  quantity: row.quantity,
  refunded: row.refunded,
  priceMinor: row.price_minor,
  discountMinor: row.discount_minor,
  taxMinor: row.tax_minor,
})

/** A quantity of a part with the amount that is proposed for it. */
export type ProposedLine = ChosenPart & {
  amountMinor: number
  discountMinor: number
  taxMinor: number
}

const proposedLine = (row: PartRow, quantity: number): ProposedLine => {
  const { kind, position } = row
  const { amountMinor, discountMinor, taxMinor } = amountOfNext(
    soldPartOf(row),
    quantity,
    row.is_tax_added,
  )
  return { kind, position, quantity, amountMinor, discountMinor, taxMinor }
}

/** Throws `invalid` for a part that the order does not have, or that is named twice, and `conflict` for more than is left. */
function proposedFor(rows: PartRow[], chosen: ChosenPart[]): ProposedLine[] {
  return chosen.map((part, at) => {
    const row = rows.find((one) => isOfPart(one, part))
    if (!row || chosen.findIndex((one) => isOfPart(one, part)) !== at)
      throw invalid('This line is not one of the order.', 'lines')
    const left = row.quantity - row.refunded
    if (left === 0) throw conflict(`${row.name} is refunded already.`)
    if (part.quantity > left)
      throw conflict(`Only ${left} of ${row.quantity} ${row.name} are left to refund.`)
    return proposedLine(row, part.quantity)
  })
}

/** The sum of the proposed amounts. */
export const sumOf = (lines: ProposedLine[]): number =>
  sum(lines.map(({ amountMinor }) => amountMinor))

/** The proposal for chosen quantities of an order. Throws as `proposedFor` does. */
export const proposeLines = async (
  db: Database,
  orderId: string,
  chosen: ChosenPart[],
): Promise<ProposedLine[]> => proposedFor(await selectParts(db, orderId), chosen)

/** All that is left of an order, where that is this amount; else none: earlier refunds were of other amounts. */
export async function restLines(
  db: Database,
  orderId: string,
  leftMinor: number,
): Promise<ProposedLine[]> {
  const rows = await selectParts(db, orderId)
  const rest = rows
    .filter(({ quantity, refunded }) => refunded < quantity)
    .map((row) => proposedLine(row, row.quantity - row.refunded))
  return sumOf(rest) === leftMinor ? rest : []
}

/** Stores the lines of a refund. Throws `conflict` when one of them is refunded already. */
export async function storeLines(
  tx: Database,
  { orderId, refundId }: { orderId: string; refundId: string },
  proposed: ProposedLine[],
): Promise<void> {
  if (proposed.length === 0) return
  const lines = proposed.map(({ kind, position, quantity, ...amounts }) => ({
    kind,
    position,
    quantity,
    amount_minor: amounts.amountMinor,
    discount_minor: amounts.discountMinor,
    tax_minor: amounts.taxMinor,
  }))
  if (!(await insertRefundLines(tx, { refundId, orderId, lines })))
    throw conflict('A part of this order is refunded already. Load it again.')
}
