import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { photoUrl, productPath } from '#app/products/contract.ts'
import { Picture } from '#app/shared/web/pictures.tsx'
import { truncate } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import type { Delivery, Order } from '../contract.ts'
import { OrderTotal } from './order-total.tsx'
import { paymentFact } from './payment-fact.ts'
import { relativeDate } from './relative-date.ts'
import { type Instructions, UnpaidBadge, UnpaidNotice } from './unpaid-notice.tsx'

type SoldProduct = Order['products'][number]

/** Groups equal products, with their quantity. */
function linesOf(products: SoldProduct[]) {
  const byId = Map.groupBy(products, ({ _id }) => _id)
  return [...byId.values()].flatMap(([product, ...more]) =>
    product ? [{ product, quantity: more.length + 1 }] : [],
  )
}

/** One order: its number, a table of its facts, and its products below (spec §2). `index` is its place in the list. */
export function OrderCard({
  order,
  index,
  status = order.status,
  withIds = false,
  actions,
  instructions,
}: {
  order: Order
  index: number
  /** The content of the status column; the status itself by default. */
  status?: ReactNode
  /** Shows the ids of the order and its payment. */
  withIds?: boolean
  /** Buttons below the order. */
  actions?: ReactNode
  /** Shows how to pay an unpaid order. */
  instructions?: Instructions
}) {
  const titleId = useId()
  const facts: [label: string, fact: ReactNode][] = [
    ['#', index],
    ['Status', status],
    ['Buyer', order.buyer.name],
    [
      'Date',
      <time key="date" dateTime={order.createAt} title={new Date(order.createAt).toLocaleString()}>
        {relativeDate(order.createAt)}
      </time>,
    ],
    ['Payment', paymentFact(order)],
    ['Quantity', order.products.length],
  ]
  return (
    <article aria-labelledby={titleId} className="surface overflow-hidden">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-base-200/60 p-4 sm:px-6">
        <h2 id={titleId} className="font-display font-semibold text-xl">
          Order {order.number}
        </h2>
        <UnpaidBadge order={order} />
      </div>
      <table className="facts table rounded-none border-base-300 border-b bg-base-200/60">
        <thead className="text-base-content/75">
          <tr>
            {facts.map(([label]) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            {facts.map(([label, fact]) => (
              <td key={label} data-label={label} className="wrap-anywhere">
                {fact}
              </td>
            ))}
          </tr>
        </tbody>
      </table>
      <ul className="divide-y divide-base-300">
        {linesOf(order.products).map(({ product, quantity }) => (
          <Line key={product._id} product={product} quantity={quantity} currency={order.currency} />
        ))}
      </ul>
      <UnpaidNotice order={order} instructions={instructions} />
      <DeliveryFacts delivery={order.delivery} showsChange={withIds} />
      <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-base-300 border-t p-4 sm:px-6">
        {order.test && (
          <span className="badge badge-warning badge-sm">Test: no money was taken</span>
        )}
        {withIds && <Ids order={order} />}
        <Documents order={order} />
        <OrderTotal order={order} />
        {actions}
      </footer>
    </article>
  )
}

/** The links to the invoice, which is issued when the order is paid in full, and to the credit notes. */
function Documents({ order }: { order: Order }) {
  const { _id, number, total, paymentMethod, refunds } = order
  const isPaid = !paymentMethod || paymentMethod.received >= total
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-2 text-sm">
      {isPaid && (
        <Link to={`${_id}/invoice`} aria-label={`Invoice of order ${number}`} className="link">
          Invoice
        </Link>
      )}
      {refunds?.map(
        ({ creditNote }) =>
          creditNote !== null && (
            <Link key={creditNote} to={`credit-note/${creditNote}`} className="link">
              Credit note {creditNote}
            </Link>
          ),
      )}
    </p>
  )
}

/** The buyer and the delivery address at the time of payment; empty for a closed account. */
function DeliveryFacts({ delivery, showsChange }: { delivery: Delivery; showsChange: boolean }) {
  const { name, email, phone, address, isChanged } = delivery
  const facts = [email, phone].filter((fact) => fact !== '')
  if (address === '' && facts.length === 0) return null
  return (
    <section
      aria-label="Delivery"
      className="wrap-anywhere border-base-300 border-t p-4 text-sm sm:px-6"
    >
      <p>
        <span className="text-base-content/75">Delivery to</span> {name}, {address}
      </p>
      <p className="text-base-content/75">{facts.join(' · ')}</p>
      {showsChange && isChanged && (
        <p className="mt-1">
          <span className="badge badge-warning badge-sm me-2">Note</span>
          The buyer has changed e-mail, phone or address since. This order keeps the old ones.
        </p>
      )}
    </section>
  )
}

function Ids({ order: { _id, payment } }: { order: Order }) {
  return (
    <dl className="wrap-anywhere grid grid-cols-[auto_1fr] gap-x-2 text-base-content/75 text-xs">
      <dt>Order</dt>
      <dd>{_id}</dd>
      {payment.razorpay_payment_id && (
        <>
          <dt>Payment</dt>
          <dd>{payment.razorpay_payment_id}</dd>
        </>
      )}
      <dd className="col-start-2">
        <HistoryLink object={_id} />
      </dd>
    </dl>
  )
}

type LineProps = { product: SoldProduct; quantity: number; currency: string }

function Line({ product, quantity, currency }: LineProps) {
  const money = useMoney()
  return (
    <li className="flex items-center gap-4 p-4 sm:px-6">
      <Picture src={photoUrl(product, 320)} size={96} className="size-24" lazy />
      <div className="wrap-anywhere min-w-0 flex-1">
        <a href={productPath(product)} className="link link-hover font-semibold">
          {product.name}
        </a>
        <p className="text-base-content/75 text-sm">{truncate(product.description, 30)}</p>
      </div>
      <p className="whitespace-nowrap text-end">
        {quantity > 1 && <span className="text-base-content/75">{quantity} × </span>}
        {money(product.price, currency)}
      </p>
    </li>
  )
}
