import type { ReactNode } from 'react'
import { formatDay } from '#app/shared/model/format-day.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import type { Order } from '../contract.ts'

type Refund = NonNullable<Order['refunds']>[number]

function refundText(
  { date, amount, reason, lines = [] }: Refund,
  money: (amount: number) => string,
) {
  const what = lines.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')
  const refunded = `${money(amount)} refunded on ${formatDay(date)}${what && ` for ${what}`}`
  return reason === null ? refunded : `${refunded}: ${reason}`
}

/** The amounts of an order, or of one that is not placed yet. */
type Totalled = Pick<Order, 'currency' | 'total'> & Partial<Order>

/** Whether the reason is of a refund in progress, or of an order that cost nothing, and not of one above. */
const isOpen = ({ refunds, refundPending, refundRefused }: Totalled) =>
  !refunds || refundPending || refundRefused

/** The total of an order with its parts, if it has more than products, and its refunds. */
export function OrderTotal({ order }: { order: Totalled }) {
  const format = useMoney()
  const money = (amount: number) => format(amount, order.currency)
  return (
    <div className="ms-auto space-y-1 text-end">
      {order.subtotal !== undefined && (
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 text-sm">
          <Part label="Subtotal" amount={money(order.subtotal)} />
          {order.adjustments?.map(({ kind, label, amount, included }) => (
            <Part
              key={`${kind} ${label}`}
              label={included ? `incl. ${label}` : label}
              amount={money(amount)}
            />
          ))}
        </dl>
      )}
      <p>
        Total <strong className="ms-2 text-lg">{money(order.total)}</strong>
        {order.refunds && (
          <Note>{order.refunds.map((refund) => refundText(refund, money)).join('\n')}</Note>
        )}
        {order.refundPending && <Note>A refund is on its way.</Note>}
        {order.refundReason !== undefined && isOpen(order) && <Note>{order.refundReason}</Note>}
      </p>
    </div>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <span className="wrap-anywhere block whitespace-pre-line text-base-content/75 text-sm">
    {children}
  </span>
)

function Part({ label, amount }: { label: string; amount: string }) {
  return (
    <>
      <dt className="wrap-anywhere text-base-content/75">{label}</dt>
      <dd className="whitespace-nowrap">{amount}</dd>
    </>
  )
}
