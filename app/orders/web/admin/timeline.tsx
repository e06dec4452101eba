import { UNNAMED_ACTORS } from '#app/audit/web/admin/labels.ts'
import { Card, Entries } from '#app/back-office/kit/page.tsx'
import { Time } from '#app/back-office/kit/time.tsx'
import { kindName, StateBadge } from '#app/emails/web/admin/email-state.tsx'
import type { EventKind, OrderEvent } from '#app/orders/handling-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { type OrderProps, REFUND_NAMES } from './order-cards.tsx'

const EVENT_TEXTS: Record<EventKind, (event: OrderEvent, money: string) => string> = {
  placed: ({ by }, money) => `Order placed${by.kind === 'admin' ? ' by hand' : ''}: ${money}`,
  captured: (_, money) => `${money} received`,
  voided: (_, money) => `${money} released, and never taken`,
  refund: ({ refund = 'pending', text }, money) =>
    `Refund of ${money}: ${REFUND_NAMES[refund].toLowerCase()}${text ? `. ${text}` : ''}`,
  status: ({ before = 'Not Process', status = 'Not Process' }) => `Status: ${before} → ${status}`,
  shipment: ({ text }) => (text ? `Shipment by ${text}` : 'Shipment changed'),
  customer_note: () => 'Note to the customer changed',
  note: ({ text }) => `Note: ${text}`,
  email: ({ email, status }) =>
    `E-mail: ${email ? kindName(email.kind) : ''}${status ? `, ${status}` : ''}`,
  invoice: ({ number }) => `Invoice ${number} issued`,
  credit_note: ({ number }) => `Credit note ${number} issued`,
  stock_returned: ({ number }) =>
    `${number ? pluralize(number, 'piece', false) : 'Its pieces'} returned to the stock`,
}

/** Everything that happened to an order, by whom. */
export function Timeline({ detail: { timeline, order } }: OrderProps) {
  const money = useMoney()
  return (
    <Card title="Timeline">
      <Entries
        entries={timeline.map((event) => {
          const { kind, at, by, text, email, amount = 0 } = event
          return {
            key: `${at} ${kind} ${email?._id ?? text}`,
            text: (
              <>
                {EVENT_TEXTS[kind](event, money(amount, order.currency))}{' '}
                {email && (
                  <a href={href('/dashboard/admin/email/:id', { id: email._id })}>
                    <StateBadge state={email.state} />
                  </a>
                )}
              </>
            ),
            end: (
              <span className="text-base-content/75">
                {by.name ?? UNNAMED_ACTORS[by.kind]} · <Time at={at} />
              </span>
            ),
          }
        })}
      />
    </Card>
  )
}
