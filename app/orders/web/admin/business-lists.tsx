import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Figures } from '#app/orders/admin-contract.ts'
import { editPath } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { useMoney } from '#app/shared/web/money.ts'
import { relativeDate } from '../relative-date.ts'

type BestSellersProps = Pick<Figures, 'currency'> & { products: Figures['bestSellers'] }

/** The products with the most pieces sold in the last thirty days. */
export function BestSellers({ products, currency }: BestSellersProps) {
  const money = useMoney()
  return (
    <Panel title="Best sellers of the last 30 days" empty="No sales yet.">
      {products.map(({ _id, name, slug, pieces, revenue }) => (
        <Line
          key={_id}
          to={slug === null ? null : editPath({ slug })}
          name={name}
          facts={`${pieces.toLocaleString('en-US')} sold`}
          more={money(revenue, currency)}
        />
      ))}
    </Panel>
  )
}

/** The tax of the last thirty days by rate. */
export function TaxTotals({ taxes, currency }: Pick<Figures, 'taxes' | 'currency'>) {
  const money = useMoney()
  return (
    <Panel title="Tax of the last 30 days" empty="No tax yet.">
      {taxes.map(({ label, basis, amount }) => (
        <Line
          key={label}
          to={null}
          name={label}
          facts={`on ${money(basis, currency)}`}
          more={money(amount, currency)}
        />
      ))}
    </Panel>
  )
}

/** The products running low, scarcest first. */
export function RunningLow({ products }: { products: Figures['runningLow'] }) {
  return (
    <Panel title="Running low" empty="No products are running low.">
      {products.map(({ _id, name, slug, quantity }) => (
        <Line
          key={_id}
          to={editPath({ slug })}
          name={name}
          facts={quantity === 0 ? 'Sold out' : `${quantity} left`}
        />
      ))}
    </Panel>
  )
}

/** The latest orders; each links to the order in the list. */
export function LatestOrders({ orders }: { orders: Figures['latestOrders'] }) {
  const money = useMoney()
  return (
    <Panel title="Latest orders" empty="No orders yet.">
      {orders.map(({ _id, number, buyer, status, createAt, total, currency, test }) => (
        <Line
          key={_id}
          to={`${href('/dashboard/admin/orders')}?q=${_id}`}
          name={`${number} · ${buyer.name}`}
          facts={`${relativeDate(createAt)} · ${status}${test ? ' · test' : ''}`}
          more={money(total, currency)}
        />
      ))}
    </Panel>
  )
}

function Panel({
  title,
  empty,
  children,
}: {
  title: string
  empty: string
  children: ReactNode[]
}) {
  return (
    <section aria-label={title} className="surface p-4 sm:p-6">
      <h3 className="mb-3 text-lg">{title}</h3>
      {children.length > 0 ? (
        <ul className="divide-y divide-base-300">{children}</ul>
      ) : (
        <p className="text-base-content/75">{empty}</p>
      )}
    </section>
  )
}

type LineProps = { to: string | null; name: string; facts: string; more?: string }

/** `to` is null where there is no page, as of a deleted product. */
function Line({ to, name, facts, more }: LineProps) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
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
  )
}
