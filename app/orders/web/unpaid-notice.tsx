/** What an order that is not paid in full asks for. */
import type { TextNode } from '#app/settings/contract.ts'
import { MarkdownText } from '#app/settings/web/markdown-text.tsx'
import { useMoney } from '#app/shared/web/use-money.ts'
import type { Order, PaymentMethod } from '../contract.ts'
import { owedSentence, referenceOf } from '../model.ts'

/** How to pay, by method. */
export type Instructions = Partial<Record<PaymentMethod, TextNode[]>>

export const UnpaidBadge = ({ order: { unpaid } }: { order: Order }) =>
  unpaid && (
    <span className={`badge badge-sm ${unpaid.isLate ? 'badge-error' : 'badge-warning'}`}>
      {unpaid.isLate ? 'Overdue' : 'Unpaid'}
    </span>
  )

/** The sentence about what is owed of an order; empty of a paid one. */
export function useOwedText({ unpaid, currency }: Order): string {
  const money = useMoney()
  return unpaid ? owedSentence(unpaid, (amount) => money(amount, currency)) : ''
}

/** The amount that is owed and, with instructions, how to pay it. Absent for an order that is paid or cancelled. */
export function UnpaidNotice({
  order,
  instructions,
}: {
  order: Order
  instructions?: Instructions | undefined
}) {
  const money = useMoney()
  const owedText = useOwedText(order)
  const { number, total, currency, unpaid, paymentMethod } = order
  if (!unpaid || !paymentMethod) return null
  const { method, name, received } = paymentMethod
  const reference = referenceOf(method, number)
  return (
    <section
      aria-label="Payment"
      className="wrap-anywhere space-y-2 border-base-300 border-t p-4 sm:px-6"
    >
      <p>
        <strong>{owedText}</strong> {name}
      </p>
      {received > 0 && (
        <p className="text-base-content/75 text-sm">
          {money(received, currency)} of {money(total, currency)} is paid.
        </p>
      )}
      {instructions && (
        <div className="markdown space-y-2">
          <MarkdownText nodes={instructions[method] ?? []} />
        </div>
      )}
      {instructions && reference !== null && (
        <p>
          Reference: <strong>{reference}</strong>
        </p>
      )}
    </section>
  )
}
