/** How orders are sent. */
import { type ClipboardEvent, type KeyboardEvent, useState } from 'react'
import { Field, LongText } from '#app/back-office/kit/fields.tsx'
import { FormDialog } from '#app/back-office/kit/form-dialog.tsx'
import { MailCheckbox } from '#app/emails/web/admin/mail-checkbox.tsx'
import type { ListedOrder } from '#app/orders/admin-contract.ts'
import { CARRIERS } from '#app/orders/carrier-model.ts'
import type { Order } from '#app/orders/contract.ts'
import type { Fields } from '#app/shared/web/form/use-submit.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import { changeOrders } from './order-changes.tsx'

/** A carrier: a known one, whose parcels have a link, or any other. */
const CarrierField = () => (
  <>
    <Field
      label="Carrier"
      name="carrier"
      list="carriers"
      hint="A known carrier gets a link that follows the parcel."
    />
    <datalist id="carriers">
      {CARRIERS.map((carrier) => (
        <option key={carrier} value={carrier} />
      ))}
    </datalist>
  </>
)

/** The fields of tracking numbers from one of them on. */
function fieldsFrom(field: HTMLInputElement): HTMLInputElement[] {
  const form = field.closest('form')
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('[name^="tracking "]') ?? [])]
  return fields.slice(fields.indexOf(field))
}

/** A column that is pasted fills this field and those below it. */
function pasteColumn(event: ClipboardEvent<HTMLInputElement>) {
  const lines = event.clipboardData.getData('text').trimEnd().split(/\r?\n/)
  if (lines.length < 2) return
  event.preventDefault()
  const filled = fieldsFrom(event.currentTarget).slice(0, lines.length)
  for (const [at, field] of filled.entries()) field.value = lines[at]?.trim() ?? ''
}

/** Enter, which a scanner sends after each code, leads to the next field; the last one submits. */
function goToNext(event: KeyboardEvent<HTMLInputElement>) {
  const next = event.key === 'Enter' && fieldsFrom(event.currentTarget)[1]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** Marks orders as shipped, each with its tracking number, all by one carrier. */
export function ShipDialog({ orders }: { orders: ListedOrder[] }) {
  const [only] = orders
  const isOne = orders.length === 1
  const addressees = orders.filter(({ delivery }) => delivery.email !== '')
  const addressee = isOne ? only?.buyer.name : pluralize(addressees.length, 'customer', false)
  return (
    <FormDialog
      title={isOne ? `Ship order ${only?.number}` : `Ship ${orders.length} orders`}
      action="Mark as shipped"
      failed={`The order${isOne ? '' : 's'} could not be changed.`}
      save={(field) =>
        changeOrders(
          {
            notify: field('notify') === 'on',
            changes: orders.map(({ _id }) => ({
              orderId: _id,
              status: 'Shipped',
              ...filled('carrier', field('carrier')),
              ...filled('trackingNumber', field(`tracking ${_id}`)),
            })),
          },
          `Order ${only?.number}`,
        )
      }
      values={{ notify: true }}
    >
      <CarrierField />
      {!isOne && (
        <p className="text-base-content/75">
          Paste a column of a spreadsheet into the first field to fill all of them.
        </p>
      )}
      <fieldset className="space-y-3">
        {!isOne && <legend className="mb-3 font-medium">Tracking numbers</legend>}
        {orders.map(({ _id, number, buyer }) => (
          <Field
            key={_id}
            label={isOne ? 'Tracking number' : `Order ${number} · ${buyer.name}`}
            name={`tracking ${_id}`}
            maxLength={100}
            onPaste={pasteColumn}
            onKeyDown={goToNext}
          />
        ))}
      </fieldset>
      <MailCheckbox
        label={`E-mail ${addressee} in ten seconds`}
        name="notify"
        email={addressees[0]?.delivery.email ?? ''}
      />
      {addressees.some(({ mails }) => !mails.includes('Shipped')) && (
        <p className="text-base-content/75">
          A customer who got this e-mail already gets it again only with another carrier or tracking
          number.
        </p>
      )}
    </FormDialog>
  )
}

/** A field of a change, where something was entered. */
const filled = (name: 'carrier' | 'trackingNumber', text: string) =>
  text.trim() === '' ? {} : { [name]: text }

/** How an order is sent, and the note to its customer. What is not edited is not sent: another admin may change it. */
export function ShipmentDialog({ order }: { order: Order }) {
  const [shown] = useState({
    carrier: order.shipment?.carrier ?? '',
    trackingNumber: order.shipment?.trackingNumber ?? '',
    customerNote: order.customerNote ?? '',
  })
  const edited = (field: Fields) =>
    Object.fromEntries(
      // a browser submits the ends of lines as CRLF
      Object.entries(shown)
        .map(([name, text]) => [name, text, field(name).replaceAll('\r\n', '\n')] as const)
        .filter(([, text, entered]) => entered !== text.replaceAll('\r\n', '\n'))
        .map(([name, , entered]) => [name, entered]),
    )
  return (
    <FormDialog
      title={`Shipment of order ${order.number}`}
      action="Save shipment"
      failed="The order could not be changed."
      save={(field) =>
        changeOrders(
          { changes: [{ orderId: order._id, ...edited(field) }] },
          `Order ${order.number}`,
        )
      }
      values={shown}
    >
      <CarrierField />
      <Field
        label="Tracking number"
        name="trackingNumber"
        hint={
          order.status === 'Shipped'
            ? 'A customer who got the e-mail about Shipped gets one about another carrier or number.'
            : undefined
        }
      />
      <LongText
        label="Note to the customer"
        name="customerNote"
        hint="On the customer's page of orders, and in the next e-mail about the status."
      />
    </FormDialog>
  )
}
