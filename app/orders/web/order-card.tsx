import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import type { Order } from '../contract.ts'
import { OrderLines } from './order-lines.tsx'
import { OrderTotal } from './order-total.tsx'
import { paymentFact } from './payment-fact.ts'
import { relativeDate } from './relative-date.ts'
import { TrackingNumber } from './shipment.tsx'
import { type Instructions, UnpaidBadge, UnpaidNotice } from './unpaid-notice.tsx'

/** One order: its number, a table of its facts, and its products below (spec §2). `index` is its place in the list. */
export function OrderCard({
  order,
  index,
  instructions,
}: {
  order: Order
  index: number
  /** Shows how to pay an unpaid order. */
  instructions?: Instructions
}) {
  const titleId = useId()
  const facts: [label: string, fact: ReactNode][] = [
    ['#', index],
    ['Status', order.status],
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
      <OrderLines order={order} />
      <UnpaidNotice order={order} instructions={instructions} />
      <ShipmentFacts order={order} />
      <DeliveryFacts delivery={order.delivery} billing={order.billing} />
      <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-base-300 border-t p-4 sm:px-6">
        {order.test && (
          <span className="badge badge-warning badge-sm">Test: no money was taken</span>
        )}
        <Documents order={order} />
        <OrderTotal order={order} />
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

/** The buyer, the delivery and the billing address at the time of payment; empty for a closed account. */
function DeliveryFacts({
  delivery: { name, email, phone, address },
  billing,
}: Pick<Order, 'delivery' | 'billing'>) {
  const facts = [email, phone].filter((fact) => fact !== '')
  if (address === '' && facts.length === 0) return null
  return (
    <section
      aria-label="Delivery"
      className="wrap-anywhere border-base-300 border-t p-4 text-sm sm:px-6"
    >
      <p>
        <span className="text-base-content/75">Delivery to</span> <bdi>{name}</bdi>,{' '}
        <bdi>{address}</bdi>
      </p>
      {billing && (
        <p>
          <span className="text-base-content/75">Billed to</span> <bdi>{billing.name}</bdi>,{' '}
          <bdi>{billing.address}</bdi>
        </p>
      )}
      <p className="text-base-content/75">{facts.join(' · ')}</p>
    </section>
  )
}

/** The note of the shop, and how the parcel is followed. */
function ShipmentFacts({ order: { shipment, customerNote } }: { order: Order }) {
  if (!shipment && !customerNote) return null
  return (
    <section aria-label="Shipment" className="wrap-anywhere border-base-300 border-t p-4 sm:px-6">
      {shipment && (
        <p>
          {shipment.carrier} <TrackingNumber shipment={shipment} />
        </p>
      )}
      {customerNote && (
        <p dir="auto" className="whitespace-pre-line">
          {customerNote}
        </p>
      )}
    </section>
  )
}
