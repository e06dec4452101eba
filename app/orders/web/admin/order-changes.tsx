/** How far orders have come, and how they are sent. */
import { useState } from 'react'
import { type Selection, selected } from '#app/back-office/kit/bulk-bar.tsx'
import { Select } from '#app/back-office/kit/fields.tsx'
import {
  type Changed,
  FormDialog,
  useChange,
  useQuestion,
} from '#app/back-office/kit/form-dialog.tsx'
import { RowSelect } from '#app/back-office/kit/row/row-select.tsx'
import { MailCheckbox, useNotSent } from '#app/emails/web/admin/mail-checkbox.tsx'
import { type ListedOrder, orderAdminCalls } from '#app/orders/admin-contract.ts'
import { ORDER_STATUSES, type Order, type OrderStatus } from '#app/orders/contract.ts'
import { orderHandlingCalls } from '#app/orders/handling-contract.ts'
import type { Input } from '#app/shared/contract/endpoint.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { messageOf } from '#app/shared/web/call.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import { announce, toast } from '#app/shared/web/toast.tsx'
import { paymentFact } from '../payment-fact.ts'

/** The state of the money. One that is not paid in full stands out. */
export function PaymentFact({ order }: { order: Order }) {
  const fact = paymentFact(order)
  if (!order.unpaid) return fact
  const { isLate } = order.unpaid
  return (
    <span
      className={`badge badge-sm whitespace-nowrap ${isLate ? 'badge-error' : 'badge-warning'}`}
    >
      {isLate ? `${fact} · overdue` : fact}
    </span>
  )
}

type Body = Input<typeof orderHandlingCalls.changeOrders>['body']

const send = (body: Body) => call(orderHandlingCalls.changeOrders, { body })

/** Changes orders. What was changed can be taken back, with the e-mails that wait; `name` is that of a single one. */
export async function changeOrders(body: Body, name: string): Promise<Changed> {
  const { message, before, mailed } = await send(body)
  const undo = async () => {
    const undone = await send({ changes: before, notify: false })
    const { changed } = undone
    if (changed < before.length) return undone
    const [only, other] = before
    if (!only || other) return { message: `${pluralize(changed, 'order', false)} changed back.` }
    return {
      message: `${name} is ${only.status ? `${only.status} again` : 'as it was'}.`,
    }
  }
  return { message, mails: mailed > 0, ...(before.length > 0 && { undo }) }
}

/** The statuses, as stored and spelt (spec §4). */
export const STATUSES = ORDER_STATUSES.map((status) => ({ value: status, label: status }))

const statusOf = (value: string) => ORDER_STATUSES.find((one) => one === value)

/**
 * Changes the status of an order and reloads the page (spec §4). It says which statuses are mailed to the
 * customer. To cancel an order is asked first. A change can be taken back for ten seconds, but for the end of an
 * unpaid order. A failure shows a toast and the former value.
 */
export function StatusSelect({ order }: { order: ListedOrder }) {
  const { _id: orderId, number, status: former, mails, buyer } = order
  const label = `Status of order ${number}`
  const { change } = useChange()
  const notSent = useNotSent(order.delivery.email)
  const [wanted, setWanted] = useState<string | null>(null)
  const { ask, dialog } = useQuestion({
    title: `Cancel order ${number}?`,
    action: 'Cancel order',
    refusal: 'Keep order',
    children: order.unpaid
      ? 'It is not paid in full: its pieces are for sale again, for good.'
      : 'This sets the status only. “Cancel order” on the page of the order also refunds the money and returns the pieces to the stock.',
  })
  const undo = async (status: OrderStatus) => {
    const changes = [{ orderId, status: former, expects: { status } }]
    const { changed, message } = await send({ changes, notify: false })
    return { message: changed > 0 ? `Order ${number} is ${former} again` : message }
  }
  const save = async (status: OrderStatus): Promise<Changed> => {
    await call(orderAdminCalls.setOrderStatus, { params: { orderId }, body: { status } })
    const isMailed = mails.includes(status)
    const mail = isMailed ? `. ${notSent ?? `${buyer.name} gets an e-mail.`}` : ''
    const isEnd = status === 'cancel' && order.unpaid !== undefined
    return {
      message: `Order ${number} is set to ${status}${mail}`,
      mails: isMailed,
      ...(!isEnd && { undo: () => undo(status) }),
    }
  }
  const choose = async (value: string) => {
    const status = statusOf(value)
    if (!status) return
    if (status === 'cancel' && !(await ask())) return announce(`${label}: still ${former}.`)
    setWanted(value)
    // loads again also after a failure: another admin may have changed the order
    await change(() => save(status)).catch((error) =>
      toast.error(messageOf(error, 'The status could not be changed.')),
    )
    setWanted(null)
  }
  const isMailed = ({ value }: { value: string }) =>
    value !== former && notSent === null && mails.some((one) => one === value)
  return (
    <>
      <RowSelect
        label={label}
        value={wanted ?? former}
        busy={wanted !== null}
        groups={[
          { label: 'No e-mail', options: STATUSES.filter((status) => !isMailed(status)) },
          { label: 'Mails the customer', options: STATUSES.filter(isMailed) },
        ]}
        onChoose={(value) => void choose(value)}
      />
      {dialog}
    </>
  )
}

type DialogProps = {
  /** The changed orders, as the title names them. */
  selection: Selection
  initial?: OrderStatus
  /** Whether the customers are mailed by default. */
  mails?: boolean
}

/** Sets the status of orders, with or without e-mails. To cancel them is asked first. */
export function StatusDialog({ selection, initial = 'Processing', mails = true }: DialogProps) {
  const { text, count } = selection
  const { ask, dialog } = useQuestion({
    title: `Cancel ${text}?`,
    action: count === 1 ? 'Cancel order' : 'Cancel orders',
    refusal: count === 1 ? 'Keep order' : 'Keep orders',
    children:
      'This refunds no money. The pieces of orders that were never paid are for sale again, for good.',
  })
  return (
    <>
      <FormDialog
        title={`Set the status of ${text}`}
        action="Set status"
        failed="The status could not be changed."
        save={async (field) => {
          const status = statusOf(field('status'))
          if (status === 'cancel' && !(await ask())) return null
          const body = {
            selection: selected(selection),
            set: { status },
            notify: field('notify') === 'on',
          }
          return changeOrders(body, text.replace(/^o/, 'O'))
        }}
        values={{ status: initial, notify: mails }}
      >
        <Select label="Status" name="status" options={STATUSES} />
        <MailCheckbox label="Mail customers about a new status, in ten seconds" name="notify" />
      </FormDialog>
      {dialog}
    </>
  )
}
