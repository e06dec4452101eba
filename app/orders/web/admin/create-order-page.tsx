import { useState } from 'react'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { Combobox } from '#app/back-office/kit/combobox.client.tsx'
import { Checkbox, Field, Row, Select } from '#app/back-office/kit/fields.tsx'
import { FormPage } from '#app/back-office/kit/form-page.tsx'
import { useAnswer } from '#app/back-office/kit/loaded.tsx'
import { Card, Columns } from '#app/back-office/kit/page.tsx'
import type { Quote } from '#app/checkout/contract.ts'
import { MailCheckbox } from '#app/emails/web/admin/mail-checkbox.tsx'
import { PAYMENT_METHODS } from '#app/orders/contract.ts'
import { orderMoneyCalls, RECEIVED_AS } from '#app/payments/order-admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { toMajor } from '#app/shared/model/minor-units.ts'
import { call } from '#app/shared/web/browser-call.ts'
import type { Call } from '#app/shared/web/call.ts'
import { type Fields, fieldsOf } from '#app/shared/web/form/use-submit.ts'
import { AddressFields, addressIn } from '#app/shipping/web/address-fields.tsx'
import { OrderTotal } from '../order-total.tsx'
import { type OrderLine, OrderProducts } from './order-products.tsx'

const PAYMENTS = {
  '': 'Choose how it is paid',
  cash: 'Paid in cash',
  card_terminal: 'Paid at a card terminal',
  transfer: 'Paid by transfer',
  bank_transfer: 'Not paid yet: bank transfer',
  pay_on_delivery: 'Not paid yet: on delivery',
}

/** The address that is typed; `blank` stands for what is not typed yet. */
const deliveryIn = (field: Fields, blank: string) =>
  addressIn((name) => field(name).trim() || (name === 'delivery.region' ? '' : blank))

/** What the price depends on, without what is typed in fields that a checkbox has taken away since. */
function choicesIn(field: Fields, lines: OrderLine[], blank = '') {
  const isHandedOver = field('isHandedOver') === 'on'
  const hasAddress = field('hasAddress') === 'on' && !isHandedOver
  const method = PAYMENT_METHODS.find((one) => one === field('payment'))
  return {
    cart: lines.flatMap(({ _id, count }) => Array.from({ length: count }, () => ({ _id }))),
    couponCodes: field('couponCodes')
      .split(/[\s,;]+/)
      .filter((code) => code !== ''),
    isHandedOver,
    ...(field('isNew') !== 'on' && field('buyerId') !== '' && { buyerId: field('buyerId') }),
    ...(field('shippingRate') !== '' && { shippingRate: field('shippingRate') }),
    ...(method && { paymentMethod: method }),
    ...(hasAddress && field('delivery.country') !== '' && { delivery: deliveryIn(field, blank) }),
  }
}

/** The address that is billed, where it is another one. */
const billingIn = (field: Fields) =>
  field('isBilled') === 'on' ? { billing: addressIn(field, 'billing') } : {}

/** A new customer. */
const buyerIn = (field: Fields) => ({
  name: field('buyer.name'),
  ...(field('buyer.email') !== '' && { email: field('buyer.email') }),
  phone: field('buyer.phone'),
  address: field('buyer.address'),
})

/** An order that came by phone or at a fair, entered for its customer. */
export default function CreateOrderPage() {
  // of this order: sent again after a lost answer, it is placed once
  const [key] = useState(() => crypto.randomUUID())
  const [lines, setLines] = useState<OrderLine[]>([])
  const [field, setField] = useState<Fields>(() => () => '')
  // after a refusal the total is asked for again: its prices or its stock may have changed
  const [refusals, setRefusals] = useState(0)
  // a quote needs a whole address
  const body = choicesIn(field, lines, '-')
  const { answer: quote, failure } = useAnswer(
    body.cart.length > 0 ? `${refusals} ${JSON.stringify(body)}` : null,
    (call) => call(orderMoneyCalls.quoteOrder, { body }),
    'The total could not be calculated.',
  )
  const place = async (sent: Fields) => {
    const receivedAs = RECEIVED_AS.find((one) => one === sent('payment'))
    const { message, order } = await call(orderMoneyCalls.createOrder, {
      body: {
        ...choicesIn(sent, lines),
        ...billingIn(sent),
        amount: quote?.totalMinor ?? 0,
        key,
        ...(sent('isNew') === 'on' && { buyer: buyerIn(sent) }),
        ...(receivedAs && { receivedAs }),
        mails: sent('mails') === 'on',
      },
    }).catch((error) => {
      setRefusals((count) => count + 1)
      throw error
    })
    return { message, to: href('/dashboard/admin/orders/:orderId', { orderId: order._id }) }
  }
  return (
    <FormPage
      title="Create order"
      back={{ href: href('/dashboard/admin/orders'), label: 'Orders' }}
      action="Place order"
      isNew
      save={place}
      failed="The order could not be placed."
      values={{ mails: true }}
      onEdit={(form) => setField(() => fieldsOf(form))}
      toasts
    >
      <Columns
        side={
          <Card title="Total">
            {failure !== null && <p role="alert">{failure}</p>}
            {quote && <Total quote={quote} />}
            {lines.length === 0 && (
              <p className="text-base-content/75">Choose products to see the total.</p>
            )}
            <Select label="Payment" name="payment" required options={PAYMENTS} />
            <MailCheckbox
              label="Confirm it to the customer by e-mail"
              {...(field('isNew') === 'on' && { email: field('buyer.email') })}
            />
          </Card>
        }
      >
        <Card title="Products">
          <OrderProducts lines={lines} quote={quote} onChange={setLines} />
          <Field label="Discount codes" name="couponCodes" hint="Separate codes with a space." />
        </Card>
        <Buyer isNew={field('isNew') === 'on'} />
        <Delivery field={field} quote={quote} />
      </Columns>
    </FormPage>
  )
}

/** Finds customers by a part of their name or e-mail. */
async function searchCustomers(q: string, call: Call) {
  const found = await call(userAdminCalls.getAllUsers, { query: { q } })
  return found
    .filter(({ closedAt }) => closedAt === null)
    .slice(0, 20)
    .map(({ _id, name, email }) => ({ value: _id, label: name, note: email }))
}

/** The customer: an existing or a new one. */
const Buyer = ({ isNew }: { isNew: boolean }) => (
  <Card title="Customer">
    {!isNew && (
      <Combobox
        label="Customer"
        name="buyerId"
        placeholder="Part of the name or e-mail"
        search={searchCustomers}
      />
    )}
    <Checkbox label="A new customer" name="isNew" />
    {isNew && (
      <Row>
        <Field label="Name" name="buyer.name" required />
        <Field label="E-mail" name="buyer.email" type="email" hint="If known." />
        <Field label="Phone" name="buyer.phone" type="tel" />
        <Field label="Address" name="buyer.address" />
      </Row>
    )}
  </Card>
)

/** The name and phone of the customer, with which those of the recipient begin. */
function useRecipient(field: Fields) {
  const userId = field('isNew') === 'on' ? '' : field('buyerId')
  const { answer } = useAnswer(
    userId || null,
    (call) => call(userAdminCalls.getUser, { params: { userId } }),
    'The customer could not be loaded.',
  )
  if (userId === '') return { _id: '', name: field('buyer.name'), phone: field('buyer.phone') }
  return answer?._id === userId ? answer : {}
}

/** Where the order goes, and who is billed. */
function Delivery({ field, quote }: { field: Fields; quote: Quote | null }) {
  const isHandedOver = field('isHandedOver') === 'on'
  const { _id, name, phone } = useRecipient(field)
  const known = { name, phone }
  const rates = quote?.shippingChoices ?? []
  return (
    <Card title="Delivery">
      <Checkbox label="Handed over already: without shipping, and delivered" name="isHandedOver" />
      {!isHandedOver && (
        <>
          <Checkbox label="Deliver to another address than the customer's" name="hasAddress" />
          {field('hasAddress') === 'on' && <AddressFields key={_id} address={known} required />}
          {rates.length > 0 && (
            <Select
              // begins with the choice in the total where there are others
              key={rates.map(({ _id }) => _id).join()}
              label="Shipping"
              name="shippingRate"
              defaultValue={quote?.shippingRate}
              options={rates.map(({ _id, label }) => ({ value: _id, label }))}
            />
          )}
        </>
      )}
      <Checkbox label="Bill to another address" name="isBilled" />
      {field('isBilled') === 'on' && (
        <AddressFields key={`billed ${_id}`} of="billing" address={known} required />
      )}
    </Card>
  )
}

/** What the order costs, part by part. */
function Total({ quote }: { quote: Quote }) {
  const { currency } = quote
  const major = (minor: number) => toMajor(minor, currency)
  return (
    <div role="status">
      <OrderTotal
        order={{
          currency,
          subtotal: major(quote.subtotalMinor),
          adjustments: quote.adjustments.map((part) => ({
            ...part,
            amount: major(part.amountMinor),
          })),
          total: major(quote.totalMinor),
        }}
      />
      {quote.notices.map(({ message }) => (
        <p key={message} className="text-sm text-warning-content">
          {message}
        </p>
      ))}
    </div>
  )
}
