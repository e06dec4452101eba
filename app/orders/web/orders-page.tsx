import { Link, useSearchParams } from 'react-router'
import { pageOf } from '#app/shared/web/navigation/page-number.ts'
import { callOf } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/navigation/page-number.ts'
import { PageHead } from '#app/shared/web/page-head.tsx'
import { ORDERS_PAGE_SIZE, orderCalls } from '../contract.ts'
import type { Route } from './+types/orders-page.ts'
import { OrderCard } from './order-card.tsx'

export const clientLoader = ({ context, request }: Route.ClientLoaderArgs) => {
  const page = pageOf(new URL(request.url).searchParams)
  return callOf({ context }).counted(orderCalls.getOrders, { query: { page } })
}

/** The own orders, newest first, fifty a page (spec §2). */
export default function OrdersPage({ loaderData: { items, total } }: Route.ComponentProps) {
  const [search] = useSearchParams()
  const page = pageOf(search)
  const first = (page - 1) * ORDERS_PAGE_SIZE + 1
  return (
    <section className="space-y-6">
      <PageHead title="Your Orders" hidden />
      <h1 className="text-3xl">Your Orders</h1>
      {items.map((order, position) => (
        <OrderCard key={order._id} order={order} index={first + position} />
      ))}
      {items.length === 0 && <Nothing />}
      <Pages page={page} last={Math.max(1, Math.ceil(total / ORDERS_PAGE_SIZE))} />
    </section>
  )
}

function Nothing() {
  return (
    <div className="surface space-y-4 px-6 py-16 text-center">
      <p className="text-lg">There is nothing here yet. What you buy will be listed here.</p>
      <Link to="/" className="btn btn-primary">
        Look around
      </Link>
    </div>
  )
}

function Pages({ page, last }: { page: number; last: number }) {
  if (last === 1 && page === 1) return null
  return (
    <nav aria-label="Pages" className="flex items-center justify-center gap-4">
      {page > 1 && (
        <Link to={`?page=${Math.min(page - 1, last)}`} rel="prev" className="btn">
          Newer
        </Link>
      )}
      <span>
        Page {page} of {last}
      </span>
      {page < last && (
        <Link to={`?page=${page + 1}`} rel="next" className="btn">
          Older
        </Link>
      )}
    </nav>
  )
}
