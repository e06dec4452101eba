import { Card } from '#app/back-office/kit/page.tsx'
import type { Figures } from '#app/orders/admin-contract.ts'
import { relativeDate } from '#app/orders/web/relative-date.ts'
import { editPath } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { useMoney } from '#app/shared/web/use-money.ts'

type Line = {
  name: string
  /** Its page; null where there is none, as of a deleted product. */
  to: string | null
  facts: string
  amount?: string
}

/** Best sellers and the tax by rate of a period, and products running low. */
export function FigureLists({ figures }: { figures: Figures }) {
  const { currency, bestSellers, runningLow, taxes } = figures
  const money = useMoney()
  const sold = bestSellers.map(({ name, slug, pieces, revenue }) => ({
    name,
    to: slug === null ? null : editPath({ slug }),
    facts: `${pieces.toLocaleString('en-US')} sold`,
    amount: money(revenue, currency),
  }))
  const low = runningLow.map(({ name, slug, quantity }) => ({
    name,
    to: editPath({ slug }),
    facts: `${quantity} left`,
  }))
  const taxed = taxes.map(({ label, basis, amount }) => ({
    name: label,
    to: null,
    facts: `on ${money(basis, currency)}`,
    amount: money(amount, currency),
  }))
  return (
    <>
      <List title="Best sellers" empty="No sales in this period." lines={sold} />
      <List title="Running low" empty="No products are running low." lines={low} />
      {taxed.length > 0 && <List title="Tax" lines={taxed} />}
    </>
  )
}

/** The latest orders, tests included. */
export function LatestOrders({ orders }: { orders: Figures['latestOrders'] }) {
  const money = useMoney()
  const lines = orders.map(({ _id, number, buyer, test, unpaid, ...order }) => ({
    name: `${number} · ${buyer.name}`,
    to: href('/dashboard/admin/orders/:orderId', { orderId: _id }),
    facts: `${relativeDate(order.createAt)} · ${order.status}${unpaid ? ' · unpaid' : ''}${test ? ' · test' : ''}`,
    amount: money(order.total, order.currency),
  }))
  return <List title="Latest orders" empty="No orders yet." lines={lines} />
}

const List = ({ title, empty, lines }: { title: string; empty?: string; lines: Line[] }) => (
  <Card title={title}>
    {lines.length === 0 && <p className="text-base-content/75">{empty}</p>}
    <ul className="divide-y divide-base-300">
      {lines.map(({ name, to, facts, amount }) => (
        <li
          key={to ?? name}
          className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5"
        >
          <a
            href={to ?? undefined}
            className="wrap-anywhere line-clamp-2 [&[href]]:link-hover [&[href]]:font-medium"
          >
            {name}
          </a>
          <span className="ms-auto text-end">
            <span className="text-base-content/75">{facts}</span>
            {amount && <span className="ms-3">{amount}</span>}
          </span>
        </li>
      ))}
    </ul>
  </Card>
)
