import { useState } from 'react'
import { FormDialog } from '#app/back-office/form-dialog.tsx'
import { DialogButton } from '#app/back-office/row-actions.tsx'
import type { Order } from '#app/orders/contract.ts'
import { paymentAdminCalls } from '#app/payments/admin-contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { Field } from '#app/shared/web/form/field.tsx'
import { MoneyField } from '#app/shared/web/form/money-field.tsx'
import { useShop } from '#app/shared/web/shop.ts'

/** The button that enters money of an order that is not paid in full; absent for another order. */
export const ReceiveButton = ({ order }: { order: Order }) =>
  order.unpaid && (
    <DialogButton
      dialog={(close) => <ReceiveDialog order={order} owed={order.unpaid?.owed} onClose={close} />}
    >
      Enter payment
    </DialogButton>
  )

/** The day in a time zone, such as 2026-11-21. */
const dayIn = (timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date())

type Props = { order: Order; owed: number | undefined; onClose: () => void }

function ReceiveDialog({ order: { _id: orderId, number, currency, buyer }, owed, onClose }: Props) {
  const today = dayIn(useShop().timeZone)
  // of this money: sent again after a lost answer, it is entered once
  const [key] = useState(() => crypto.randomUUID())
  return (
    <FormDialog
      title={`Enter a payment of order ${number}`}
      action="Enter payment"
      save={(field) =>
        call(paymentAdminCalls.receivePayment, {
          params: { orderId },
          body: { amount: Number(field('amount')), date: field('date'), key },
        })
      }
      failed="The payment could not be entered."
      onClose={onClose}
    >
      <MoneyField
        label="Amount"
        name="amount"
        currency={currency}
        defaultValue={owed}
        hint="A part of what is owed, or all of it."
        required
      />
      <Field label="Date" name="date" type="date" defaultValue={today} max={today} required />
      <p>
        {buyer.name} gets an e-mail when the order is paid in full. What is entered cannot be
        removed, only refunded.
      </p>
    </FormDialog>
  )
}
