import { type Column, Table } from '#app/back-office/kit/table.client.tsx'
import type { StockEntry } from '#app/products/catalogue-contract.ts'
import { href } from '#app/shared/model/href.ts'

const KINDS: Record<StockEntry['kind'], string> = {
  created: 'Created',
  edit: 'Corrected',
  removed: 'Variant removed',
  sale: 'Sold',
  return: 'Returned',
}

const textOf = ({ kind, order, reason }: StockEntry) =>
  `${KINDS[kind]}${order ? ` with order ${order.number}` : ''}${reason ? `: ${reason}` : ''}`

/** A sale or a return, with a link to its order; or an edit. */
function What(entry: StockEntry) {
  const { kind, order } = entry
  if (!order) return textOf(entry)
  return (
    <>
      {KINDS[kind]} with{' '}
      <a href={href('/dashboard/admin/orders/:orderId', { orderId: order._id })} className="link">
        order {order.number}
      </a>
    </>
  )
}

const signed = (change: number) => (change > 0 ? `+${change}` : `−${-change}`)

const COLUMNS: Column<StockEntry>[] = [
  { header: 'When', at: ({ at }) => at, phone: 'title' },
  { header: 'What', cell: What, csv: textOf },
  { header: 'Variant', csv: ({ variant }) => variant ?? '' },
  { header: 'By', csv: ({ author }) => author ?? '' },
  { header: 'Change', align: 'end', csv: ({ change }) => signed(change), phone: 'end' },
  { header: 'After', align: 'end', csv: ({ quantity }) => quantity ?? '' },
]

/** What changed the stock of a product, newest first. */
export function StockTable({ items }: { items: StockEntry[] }) {
  const hasVariants = items.some(({ variant }) => variant !== null)
  const columns = COLUMNS.filter(({ header }) => hasVariants || header !== 'Variant')
  return <Table label="History of the stock" items={items} columns={columns} nameOf={textOf} />
}
