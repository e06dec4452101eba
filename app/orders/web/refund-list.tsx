import { useId } from 'react'
import type { Refund, RefundState } from '#app/payments/refund-contract.ts'
import { atFirstUse } from '#app/shared/model/at-first-use.ts'
import { useMoney } from '#app/shared/web/use-money.ts'

const STATES: Record<RefundState, { name: string; tone: string }> = {
  refund_pending: { name: 'Refund pending', tone: 'badge-warning' },
  refund_refused: { name: 'Not refunded yet', tone: 'badge-warning' },
  refunding: { name: 'Refund in progress', tone: 'badge-info' },
  refunded: { name: 'Refunded', tone: 'badge-success' },
  voided: { name: 'Released', tone: 'badge-neutral' },
}

const clock = atFirstUse(
  () => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }),
)

/** A buyer's payments without an order, with the progress of their refunds. */
export function RefundList({ refunds }: { refunds: Refund[] }) {
  const titleId = useId()
  return (
    <section aria-labelledby={titleId} className="surface overflow-hidden">
      <h2 id={titleId} className="border-base-300 border-b bg-base-200/60 p-4 text-xl sm:px-6">
        Payments without an order
      </h2>
      <ul className="divide-y divide-base-300">
        {refunds.map((refund) => (
          <RefundRow key={refund._id} refund={refund} />
        ))}
      </ul>
    </section>
  )
}

function RefundRow({
  refund: { _id, state, amount, currency, createdAt, reason },
}: {
  refund: Refund
}) {
  const money = useMoney()
  return (
    <li className="wrap-anywhere space-y-1 p-4 sm:px-6">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <strong className="text-lg">{money(amount, currency)}</strong>
        <span className={`badge badge-sm ${STATES[state].tone}`}>{STATES[state].name}</span>
        <time dateTime={createdAt} className="text-base-content/75 text-sm sm:ms-auto">
          {clock().format(new Date(createdAt))}
        </time>
      </p>
      <p>{reason}</p>
      {(state === 'refunding' || state === 'refunded') && (
        <p className="text-base-content/75 text-sm">Your bank may take some days to show it.</p>
      )}
      <p className="text-base-content/75 text-xs">Payment {_id}</p>
    </li>
  )
}
