import { Page } from '#app/back-office/kit/page.tsx'
import { orderHandlingCalls } from '#app/orders/handling-contract.ts'
import { formatDay } from '#app/shared/model/format-day.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ErrorPage, useLastLoaded } from '#app/shared/web/failure.tsx'
import { loadOrFailure } from '#app/shared/web/load.ts'
import { useShop } from '#app/shared/web/shop.ts'
import type { Route } from './+types/packing-slip-page.ts'
import '../invoice.css'

export const clientLoader = ({ params }: Route.ClientLoaderArgs) =>
  loadOrFailure(call(orderHandlingCalls.getOrderDetail, { params }))

/** The pieces of an order that are still to pack, and its delivery address, without prices, for the screen and for paper. */
export default function PackingSlipPage({ loaderData, params }: Route.ComponentProps) {
  const { name } = useShop()
  const detail = useLastLoaded(loaderData.loaded, params.orderId)
  if (!detail) return <ErrorPage error={loaderData.failure} />
  const { order, lines } = detail
  const { number, createAt, delivery, customerNote, _id: orderId } = order
  const taken = lines
    .filter(({ left, quantity }) => left < quantity)
    .map((line) => `${line.quantity - line.left} × ${line.name}`)
  return (
    <Page
      title={`Packing slip of order ${number}`}
      back={{
        href: href('/dashboard/admin/orders/:orderId', { orderId }),
        label: `Order ${number}`,
      }}
      tools={
        <button type="button" onClick={() => print()} className="btn btn-primary print:hidden">
          Print
        </button>
      }
    >
      <article className="invoice surface wrap-anywhere space-y-6 p-4 sm:p-8">
        <p>
          {name}, {formatDay(createAt.slice(0, 10))}
        </p>
        <p className="whitespace-pre-line text-base">
          {`${delivery.name}\n${delivery.address}\n${delivery.phone}`}
        </p>
        <ul aria-label="Items" className="divide-y divide-base-300 text-base">
          {lines.map(
            ({ _id, name, sku, left }) =>
              left > 0 && (
                <li key={_id} className="flex gap-4 py-2">
                  <span aria-hidden="true" className="mt-1 size-4 shrink-0 border border-current" />
                  <strong className="w-12 text-end">{left} ×</strong>
                  <span>
                    {name}
                    {sku && <span className="block text-sm">SKU {sku}</span>}
                  </span>
                </li>
              ),
          )}
        </ul>
        {taken.length > 0 && (
          <p>
            Refunded or returned: <s>{taken.join(', ')}</s>
          </p>
        )}
        {customerNote && <p className="whitespace-pre-line">{customerNote}</p>}
      </article>
    </Page>
  )
}
