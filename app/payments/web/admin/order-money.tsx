/** What can be done with the money of an order; a button is absent where it can do nothing. */
import { useState } from 'react'
import { ConfirmButton, DialogButton } from '#app/back-office/kit/dialog-button.tsx'
import { Checkbox, Day, LongText, Money, NumberField } from '#app/back-office/kit/fields.tsx'
import { FormDialog } from '#app/back-office/kit/form-dialog.tsx'
import { today } from '#app/back-office/kit/time.tsx'
import { useMinorMoney } from '#app/back-office/kit/use-minor-money.ts'
import { MailCheckbox, useNotSent } from '#app/emails/web/admin/mail-checkbox.tsx'
import type { Order } from '#app/orders/contract.ts'
import { paymentAdminCalls } from '#app/payments/admin-contract.ts'
import { amountOfNext } from '#app/payments/model.ts'
import type { Refundable } from '#app/payments/order-admin-contract.ts'
import { toMajor, toMinor } from '#app/shared/model/minor-units.ts'
import { call } from '#app/shared/web/browser-call.ts'
import type { Fields } from '#app/shared/web/form/use-submit.ts'

/** Of a refund without a provider. */
export const BY_HAND =
  'No payment provider has this money: send it to the customer yourself. The shop records the refund.'

export type RefundProps = { order: Order; refundable: Refundable }

/** Enters money of an order that is not paid in full. */
export const ReceiveButton = ({ order }: { order: Order }) =>
  order.unpaid && (
    <DialogButton dialog={<ReceiveDialog order={order} owed={order.unpaid.owed} />}>
      Enter payment
    </DialogButton>
  )

function ReceiveDialog({ order, owed }: { order: Order; owed: number }) {
  const { _id: orderId, number, currency, buyer } = order
  const notSent = useNotSent(order.delivery.email)
  // of this money: sent again after a lost answer, it is entered once
  const [key] = useState(() => crypto.randomUUID())
  const receive = (field: Fields) =>
    call(paymentAdminCalls.receivePayment, {
      params: { orderId },
      body: { amount: Number(field('amount')), date: field('date'), key },
    })
  return (
    <FormDialog
      title={`Enter a payment of order ${number}`}
      action="Enter payment"
      save={receive}
      failed="The payment could not be entered."
      values={{ amount: owed, date: today() }}
    >
      <Money
        label="Amount"
        name="amount"
        currency={currency}
        hint="All of it, or a part."
        required
      />
      <Day label="Date" name="date" max={today()} required />
      <p>
        {notSent ?? `${buyer.name} gets an e-mail when the order is paid in full.`} What is entered
        cannot be removed, only refunded.
      </p>
    </FormDialog>
  )
}

/**
 * Refunds an order, whole or in part, and after the whole refund returns its pieces to the stock. While the
 * provider refuses a refund, gives it up. An order that is not paid in full is cancelled first.
 */
export function RefundButton({ order, refundable }: RefundProps) {
  const { _id: orderId, number, total, paymentMethod, currency, refunded = 0, refundReason } = order
  if (order.refundRefused) return <GiveUpButton orderId={orderId} />
  if (order.unpaid || order.refundPending) return null
  const isLeft = toMinor((paymentMethod?.received ?? total) - refunded, currency) > 0
  if (isLeft || (total === 0 && refundReason === undefined))
    return (
      <DialogButton dialog={<RefundDialog order={order} refundable={refundable} />}>
        Refund
      </DialogButton>
    )
  if (order.stockReturned) return null
  const returnStock = async () => {
    // its reason stays as it is
    const body = { reason: refundReason ?? 'Returned to the stock', returnStock: true }
    return call(paymentAdminCalls.refundOrder, { params: { orderId }, body })
  }
  return (
    <ConfirmButton
      title={`Return the pieces of order ${number} to the stock?`}
      action="Return to stock"
      run={returnStock}
      failed="The pieces could not be returned."
    >
      All the money of this order is refunded. Its pieces will be for sale again.
    </ConfirmButton>
  )
}

type Part = Refundable['parts'][number]

/** The name of the field with the quantity of a part. */
const nameOf = ({ kind, position }: Part) => `${kind}-${position}`

const leftOf = ({ quantity, refunded }: Part) => quantity - refunded

/** The parts that are chosen in the form, with their quantities and the amounts that are proposed. */
const chosenIn = (field: Fields, { parts, isTaxAdded }: Refundable) =>
  parts.flatMap((part) => {
    const quantity = Math.min(Math.floor(Number(field(nameOf(part)))), leftOf(part))
    return quantity > 0 ? [{ ...part, quantity, ...amountOfNext(part, quantity, isTaxAdded) }] : []
  })

type Chosen = ReturnType<typeof chosenIn>[number]

/** Refunds an order: the chosen parts, all that is left, or another amount. */
function RefundDialog({ order, refundable }: RefundProps) {
  const { parts, leftMinor, refusal, isByHand, currency } = refundable
  const money = useMinorMoney()
  // of this refund: sent again after a lost answer, it is made once
  const [key] = useState(() => crypto.randomUUID())
  const [field, setField] = useState<Fields>(() => () => '')
  // nothing is offered before something is chosen; each press of the button enters all that is left again
  const [allAt, setAllAt] = useState(0)
  const chosen = chosenIn(field, refundable)
  const isPart = chosen.length > 0
  const all = allAt > 0 ? leftMinor : 0
  const proposed = isPart ? chosen.reduce((sum, part) => sum + part.amountMinor, 0) : all
  const offered = toMajor(Math.min(proposed, leftMinor), currency)
  const returnable = parts.filter(
    ({ kind, quantity, returned }) => kind === 'product' && returned < quantity,
  )
  const isReturnable = returnable.some(
    (part) => !isPart || chosen.some((one) => nameOf(one) === nameOf(part)),
  )
  const refund = (sent: Fields) => {
    const amount = Number(sent('amount'))
    const lines = chosen.map(({ kind, position, quantity }) => ({ kind, position, quantity }))
    return call(paymentAdminCalls.refundOrder, {
      params: { orderId: order._id },
      body: {
        reason: sent('reason'),
        returnStock: sent('returnStock') === 'on',
        mails: sent('mails') === 'on',
        key,
        ...(isPart && { lines }),
        // an amount that cannot be read is sent, and refused: without one, what is proposed is refunded
        ...(leftMinor > 0 && !(isPart && amount === toMajor(proposed, currency)) && { amount }),
      },
    })
  }
  return (
    <FormDialog
      title={`Refund order ${order.number}`}
      action="Refund"
      save={refund}
      failed="The refund could not be started."
      onChange={(next) => {
        setField(() => next)
        if (chosenIn(next, refundable).length > 0) setAllAt(0)
      }}
      values={{ mails: true }}
    >
      {leftMinor > 0 && (
        <>
          {refusal !== null && <p role="alert">{refusal}</p>}
          <Parts refundable={refundable} />
          {isPart && <Proposal chosen={chosen} refundable={refundable} proposed={proposed} />}
          <Money
            key={`${offered} ${allAt}`}
            label="Amount"
            name="amount"
            currency={currency}
            defaultValue={offered}
            hint={
              isPart
                ? `Another amount may be refunded, at most ${money(leftMinor, currency)}.`
                : 'Choose what is refunded, or enter an amount.'
            }
            required
          />
          {!isPart && (
            <button type="button" className="btn btn-sm" onClick={() => setAllAt(allAt + 1)}>
              All that is left: {money(leftMinor, currency)}
            </button>
          )}
        </>
      )}
      <LongText
        label="Reason"
        name="reason"
        hint="The customer reads it with the order."
        required
      />
      {isReturnable && (
        <Checkbox
          label={`Return ${isPart ? 'these' : 'the'} pieces to the stock`}
          name="returnStock"
        />
      )}
      <MailCheckbox label={`Tell ${order.buyer.name} by e-mail`} email={order.delivery.email} />
      {isByHand && <p>{BY_HAND}</p>}
    </FormDialog>
  )
}

/** The parts of an order that are not refunded yet, each with the quantity to refund. */
function Parts({ refundable: { parts, currency } }: { refundable: Refundable }) {
  const money = useMinorMoney()
  const open = parts.filter((part) => leftOf(part) > 0)
  if (open.length === 0) return null
  return (
    <fieldset className="wrap-anywhere min-w-0 space-y-3">
      <legend className="mb-2 font-semibold">What is refunded?</legend>
      {open.map((part) => {
        const label = `${part.name}, ${money(part.priceMinor, currency)}`
        const [name, left] = [nameOf(part), leftOf(part)]
        if (left === 1) return <Checkbox key={name} label={label} name={name} value="1" />
        return (
          <NumberField
            key={name}
            label={`${label} each`}
            unit={`of ${left}`}
            name={name}
            max={left}
            defaultValue={0}
          />
        )
      })}
    </fieldset>
  )
}

type ProposalProps = { chosen: Chosen[]; refundable: Refundable; proposed: number }

/** The proposal for the chosen parts, line by line. */
function Proposal({ chosen, refundable: { currency, isTaxAdded }, proposed }: ProposalProps) {
  const money = useMinorMoney()
  const amount = (minor: number) => money(minor, currency)
  const explain = ({ goodsMinor, discountMinor, taxMinor, amountMinor }: Chosen) => {
    const discount = discountMinor > 0 ? ` − ${amount(discountMinor)} discount` : ''
    const tax = isTaxAdded && taxMinor > 0 ? ` + ${amount(taxMinor)} tax` : ''
    return (
      amount(goodsMinor) + discount + tax + (discount || tax ? ` = ${amount(amountMinor)}` : '')
    )
  }
  return (
    <div role="status" className="wrap-anywhere rounded-box bg-base-200 p-3 text-sm">
      {chosen.map((part) => (
        <p key={nameOf(part)}>
          {part.quantity} × {part.name}: {explain(part)}
        </p>
      ))}
      <p className="font-semibold">Proposed: {amount(proposed)}</p>
    </div>
  )
}

/** Gives up a refund of an order, which the provider refuses. */
export const GiveUpButton = ({ orderId }: { orderId: string }) => (
  <ConfirmButton
    title="Give up this refund?"
    action="Give up refund"
    run={() => call(paymentAdminCalls.giveUpRefund, { params: { orderId } })}
    failed="The refund could not be given up."
  >
    It is not tried again, and its money stays with the order. You can start another refund.
  </ConfirmButton>
)
