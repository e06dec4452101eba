/** The cards of an order's page. */
import Copy from 'lucide-react/icons/copy'
import MapPin from 'lucide-react/icons/map-pin'
import type { ReactNode } from 'react'
import { DialogButton, RunButton } from '#app/back-office/kit/dialog-button.tsx'
import { Card, Entries, Facts } from '#app/back-office/kit/page.tsx'
import { formatTime } from '#app/back-office/kit/time.tsx'
import { useMinorMoney } from '#app/back-office/kit/use-minor-money.ts'
import type { OrderDetail, OrderEvent } from '#app/orders/handling-contract.ts'
import type { Refundable } from '#app/payments/order-admin-contract.ts'
import { ReceiveButton, RefundButton } from '#app/payments/web/admin/order-money.tsx'
import { nameOfState } from '#app/payments/web/admin/payment-states.ts'
import { photoUrl, productPath } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { Picture } from '#app/shared/web/pictures.tsx'
import { useShop } from '#app/shared/web/shop.ts'
import { truncate } from '#app/shared/web/texts.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { useMoney } from '#app/shared/web/use-money.ts'
import { OrderTotal } from '../order-total.tsx'
import { TrackingNumber } from '../shipment.tsx'
import { useOwedText } from '../unpaid-notice.tsx'
import { changeOrders, PaymentFact } from './order-changes.tsx'
import { ShipDialog, ShipmentDialog } from './ship-dialogs.tsx'

export type OrderProps = { detail: OrderDetail & { refundable: Refundable } }

/** What an order waits for, with the button that does it. */
export function NextStep({ detail: { order, lines } }: OrderProps) {
  const { _id: orderId, status, toSend, unpaid, stockReturned, refundPending, mails } = order
  const { paymentMethod, products } = order
  const left = lines.reduce((sum, line) => sum + line.left, 0)
  const sent = left < products.length ? `sent: ${left} of ${products.length} pieces` : 'sent'
  const owed = useOwedText(order)
  const { sendsEmail } = useShop()
  const money = useMoney()
  const isOpen = refundPending || (status !== 'deliverd' && status !== 'cancel' && !stockReturned)
  const next = (text: string, button?: ReactNode) => (
    <Card title="What to do next">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p>{text}</p>
        {button}
      </div>
    </Card>
  )
  if (toSend)
    return next(
      unpaid ? `To be ${sent}, and paid on delivery. ${owed}` : `Paid, and to be ${sent}.`,
      <DialogButton className="btn btn-primary" dialog={<ShipDialog orders={[order]} />}>
        Mark as shipped
      </DialogButton>,
    )
  if (status === 'Shipped')
    return next(
      unpaid ? `On its way, and paid on delivery. ${owed}` : 'On its way.',
      <RunButton
        className="h-auto min-h-9 btn-primary"
        run={() =>
          changeOrders({ changes: [{ orderId, status: 'deliverd' }] }, `Order ${order.number}`)
        }
        failed="The order could not be changed."
      >
        Mark as delivered{mails.includes('deliverd') && sendsEmail && ' (mails the customer)'}
      </RunButton>,
    )
  const paid = paymentMethod?.received ? 'Not paid in full' : 'Not paid yet'
  if (unpaid) return next(`${paid}. ${owed}`, <ReceiveButton order={order} />)
  if (isOpen) return next('A refund is on its way, or the order waits for one.')
  // nobody but the merchant sends it
  if (paymentMethod && order.refunded)
    return next(
      `Send ${money(order.refunded, order.currency)} back to the customer, if you have not yet: it counts as refunded. Then it is done.`,
    )
  return next('Nothing: it is done.')
}

/** The lines of an order, with those that were refunded or returned. */
export function LinesCard({ detail: { order, lines } }: OrderProps) {
  const money = useMoney()
  return (
    <Card title={`Items: ${order.products.length}`}>
      <Entries
        entries={lines.map((line) => ({
          key: line._id,
          text: (
            <div className="flex items-center gap-3">
              <Picture src={photoUrl(line, 320)} size={48} className="size-12" lazy />
              <div className="min-w-0">
                <a
                  href={line.isForSale ? productPath(line) : undefined}
                  className={`font-medium ${line.isForSale ? 'link link-hover' : ''}`}
                >
                  {line.name}
                </a>
                {line.sku && <p className="text-base-content/75">SKU {line.sku}</p>}
                <p className="whitespace-normal text-base-content/75">
                  {truncate(line.description, 30)}
                </p>
                {line.left < line.quantity && (
                  <span className="badge badge-sm badge-warning">
                    {line.quantity - line.left} refunded or returned
                  </span>
                )}
              </div>
            </div>
          ),
          end: `${line.quantity} × ${money(line.price, order.currency)}`,
        }))}
      />
      <OrderTotal order={order} />
    </Card>
  )
}

export const REFUND_NAMES: Record<NonNullable<OrderEvent['refund']>, string> = {
  pending: 'Pending',
  accepted: 'On its way',
  done: 'Refunded',
  failed: 'Refused by the provider',
  given_up: 'Given up',
}

/** The money of an order: what came in, what went back, and its documents. */
export function PaymentCard({ detail: { order, captures, refunds, refundable } }: OrderProps) {
  const money = useMoney()
  const minorMoney = useMinorMoney()
  return (
    <Card
      title="Payment"
      tools={
        <div className="flex gap-2">
          <ReceiveButton order={order} />
          <RefundButton order={order} refundable={refundable} />
        </div>
      }
    >
      <Facts
        facts={[
          ['State', <PaymentFact key="state" order={order} />],
          ['Method', order.paymentMethod?.name ?? null],
          ['Owed', useOwedText(order) || null],
        ]}
      />
      <Entries
        entries={[
          ...captures.map(({ _id, amount, at, paymentId, provider, state }) => ({
            key: _id,
            // what went back is listed below
            text: `${nameOfState(state === 'order_refunded' ? 'paid' : state)} · ${formatTime(at)}`,
            // money without a provider has only an id of the shop's
            note: !order.paymentMethod && (
              <span className="text-xs">{`${provider} ${paymentId}`}</span>
            ),
            end: money(amount, order.currency),
          })),
          ...refunds.map(({ _id, amount, at, state, reason, creditNote: number }) => ({
            key: _id,
            text: `${REFUND_NAMES[state]} · ${formatTime(at)}`,
            note: (
              <>
                {reason}
                {number !== null && (
                  <a
                    href={href('/dashboard/admin/orders/credit-note/:number', {
                      number: `${number}`,
                    })}
                    className="link block"
                  >
                    Credit note {number}
                  </a>
                )}
              </>
            ),
            end: `−${money(amount, order.currency)}`,
          })),
          ...(refunds.length > 0
            ? [
                {
                  key: 'left',
                  text: 'Left',
                  end: minorMoney(refundable.leftMinor, order.currency),
                },
              ]
            : []),
        ]}
      />
    </Card>
  )
}

/** How an order is sent, and the note to its customer. */
export const ShipmentCard = ({ detail: { order } }: OrderProps) => (
  <Card
    title="Shipment"
    tools={<DialogButton dialog={<ShipmentDialog order={order} />}>Edit shipment</DialogButton>}
  >
    <Facts
      facts={[
        ['Carrier', order.shipment?.carrier ?? '–'],
        [
          'Tracking',
          order.shipment ? <TrackingNumber key="number" shipment={order.shipment} /> : '–',
        ],
        ['Note to the customer', order.customerNote ?? null],
      ]}
    />
  </Card>
)

const MAP = 'https://www.openstreetmap.org/search?query='

/** Where an order goes, as it was at the time of payment; empty for a closed account. */
export function AddressCard({ detail: { order } }: OrderProps) {
  const { billing } = order
  const { name, email, phone, address, isChanged } = order.delivery
  const copy = async () => {
    await navigator.clipboard.writeText(`${name}\n${address}`)
    toast.success('The address is copied')
  }
  return (
    <Card title="Delivery">
      <p className="wrap-anywhere whitespace-pre-line">{`${name}\n${address}`}</p>
      {address !== '' && (
        <div className="flex flex-wrap gap-2">
          <button type="button" onClick={() => void copy()} className="btn btn-sm">
            <Copy aria-hidden="true" className="size-4" />
            Copy address
          </button>
          <a
            href={MAP + encodeURIComponent(address)}
            target="_blank"
            rel="noreferrer"
            className="btn btn-sm"
          >
            <MapPin aria-hidden="true" className="size-4" />
            Map
          </a>
        </div>
      )}
      {Object.entries({ mailto: email, tel: phone }).map(
        ([scheme, to]) =>
          to && (
            <a key={scheme} href={`${scheme}:${to}`} className="link wrap-anywhere block">
              {to}
            </a>
          ),
      )}
      {billing && (
        <div>
          <h3 className="font-semibold">Billed to</h3>
          <p className="wrap-anywhere whitespace-pre-line">
            {[billing.name, billing.address, billing.phone].join('\n')}
          </p>
        </div>
      )}
      {isChanged && (
        <p>
          <span className="badge badge-warning badge-sm me-2">Note</span>
          The buyer has changed e-mail, phone or address since. This order keeps the old ones.
        </p>
      )}
    </Card>
  )
}
