import { Link } from 'react-router'
import type { Figures } from '#app/orders/admin-contract.ts'
import { editPath } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { relativeDate } from '../relative-date.ts'

type Line = {
  key: string
  name: string
  /** Its page; null where there is none, as of a deleted product. */
  to: string | null
  facts: string
  more?: string
}

/** Best sellers, products running low, the tax by rate, and the latest orders. */
export function BusinessLists({ figures }: { figures: Figures }) {
  const { currency, bestSellers, runningLow, taxes, latestOrders } = figures
  const money = useMoney()
  return (
    <>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Panel
          title="Best sellers of the last 30 days"
          empty="No sales yet."
          lines={bestSellers.map(({ _id, name, slug, pieces, revenue }) => ({
            key: _id,
            name,
            to: slug === null ? null : editPath({ slug }),
            facts: `${pieces.toLocaleString('en-US')} sold`,
            more: money(revenue, currency),
          }))}
        />
        <Panel
          title="Running low"
          empty="No products are running low."
          lines={runningLow.map(({ _id, name, slug, quantity }) => ({
            key: _id,
            name,
            to: editPath({ slug }),
            facts: quantity === 0 ? 'Sold out' : `${quantity} left`,
          }))}
        />
      </div>
      {taxes.length > 0 && (
        <Panel
          title="Tax of the last 30 days"
          lines={taxes.map(({ label, basis, amount }) => ({
            key: label,
            name: label,
            to: null,
            facts: `on ${money(basis, currency)}`,
            more: money(amount, currency),
          }))}
        />
      )}
      <Panel
        title="Latest orders"
        empty="No orders yet."
        lines={latestOrders.map(({ _id, number, buyer, test, unpaid, ...order }) => ({
          key: _id,
          name: `${number} · ${buyer.name}`,
          to: `${href('/dashboard/admin/orders')}?q=${_id}`,
          facts: `${relativeDate(order.createAt)} · ${order.status}${unpaid ? ' · unpaid' : ''}${test ? ' · test' : ''}`,
          more: money(order.total, order.currency),
        }))}
      />
    </>
  )
}

function Panel({ title, empty, lines }: { title: string; empty?: string; lines: Line[] }) {
  return (
    <section aria-label={title} className="surface p-4 sm:p-6">
      <h3 className="mb-3 text-lg">{title}</h3>
      {lines.length === 0 && <p className="text-base-content/75">{empty}</p>}
      <ul className="divide-y divide-base-300">
        {lines.map(({ key, name, to, facts, more }) => (
          <li key={key} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
            {to === null ? (
              <span className="wrap-anywhere line-clamp-2">{name}</span>
            ) : (
              <Link to={to} className="link link-hover wrap-anywhere line-clamp-2 font-semibold">
                {name}
              </Link>
            )}
            <span className="ms-auto text-end text-sm">
              <span className="text-base-content/75">{facts}</span>
              {more && <span className="ms-3">{more}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
