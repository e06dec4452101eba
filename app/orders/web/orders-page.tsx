import { useLocation } from 'react-router'
import { paymentCalls } from '#app/payments/contract.ts'
import { refundCalls } from '#app/payments/refund-contract.ts'
import { LIST_PAGE_SIZE } from '#app/shared/contract/fields.ts'
import { NotLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { Pages } from '#app/shared/web/list.tsx'
import { callContext, loadOrLog } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { type Order, orderCalls } from '../contract.ts'
import type { Route } from './+types/orders-page.ts'
import { OrderCard } from './order-card.tsx'
import { RefundList } from './refund-list.tsx'
import { type Instructions, useOwedText } from './unpaid-notice.tsx'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const page = pageOf(new URL(request.url).searchParams)
  const { counted } = context.get(callContext)
  const [found, refunds] = await Promise.all([
    loadOrLog(counted(orderCalls.getOrders, { query: { page } })),
    loadOrLog(counted(refundCalls.getRefunds, { query: { page } })),
  ])
  return { found, refunds, page, instructions: await instructionsOf(context, found?.items ?? []) }
}

/** How to pay the unpaid ones of these orders; of a method that could not be loaded there is nothing. */
async function instructionsOf(
  context: Route.ClientLoaderArgs['context'],
  orders: Order[],
): Promise<Instructions> {
  const methods = new Set(
    orders.flatMap(({ unpaid, paymentMethod }) => (unpaid && paymentMethod?.method) || []),
  )
  const loaded = await Promise.all(
    [...methods].map(async (method) => {
      const call = context.get(callContext)(paymentCalls.getInstructions, { params: { method } })
      return [method, (await loadOrLog(call))?.nodes ?? []] as const
    }),
  )
  return Object.fromEntries(loaded)
}

/** The own orders, newest first, fifty a page (spec §2), and payments without an order. */
export default function OrdersPage({ loaderData }: Route.ComponentProps) {
  const { found, refunds, page, instructions } = loaderData
  const first = (page - 1) * LIST_PAGE_SIZE + 1
  const total = Math.max(found?.total ?? 0, refunds?.total ?? 0)
  return (
    <section className="space-y-6">
      <PageHead title="Your Orders" hidden />
      <h1 className="text-3xl">Your Orders</h1>
      {page === 1 && found?.items[0] && <ThankYou order={found.items[0]} />}
      {refunds && refunds.items.length > 0 && <RefundList refunds={refunds.items} />}
      {found?.items.map((order, position) => (
        <OrderCard
          key={order._id}
          order={order}
          index={first + position}
          instructions={instructions}
        />
      ))}
      {!(found && refunds) && <NotLoaded />}
      {found?.items.length === 0 && refunds?.items.length === 0 && <Nothing />}
      <Pages page={page} total={total} />
    </section>
  )
}

/** Shown where a purchase ends, above its order. */
function ThankYou({ order }: { order: Order }) {
  const { number, delivery, unpaid } = order
  const owedText = useOwedText(order)
  const { sendsEmail } = useShop()
  const state: unknown = useLocation().state
  const isOrdered = typeof state === 'object' && state !== null && 'isOrdered' in state
  if (!isOrdered) return null
  return (
    <section aria-labelledby="thank-you" className="surface border-primary border-l-4 p-4 sm:p-6">
      <h2 id="thank-you" className="font-display font-semibold text-2xl">
        Thank you for your order
      </h2>
      <p className="wrap-anywhere mt-2">
        Your order no. {number} is {unpaid ? 'placed' : 'paid'}. You'll find it below. {owedText}{' '}
        {sendsEmail && `We send a confirmation to ${delivery.email}.`}
      </p>
    </section>
  )
}

function Nothing() {
  return (
    <div className="surface space-y-4 px-6 py-16 text-center">
      <p className="text-lg">You have no orders yet.</p>
      <a href="/" className="btn btn-primary">
        Look around
      </a>
    </div>
  )
}
