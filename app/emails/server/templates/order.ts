/** E-mails about an order. */

import { trackingUrlOf } from '#app/orders/carrier-model.ts'
import { owedSentence, referenceOf } from '#app/orders/model.ts'
import type { OrderAmounts } from '#app/orders/server/invoice.ts'
import { formatDay } from '#app/shared/model/format-day.ts'
import { href } from '#app/shared/model/href.ts'
import { toMajor, toMinor } from '#app/shared/model/minor-units.ts'
import { formatMinor, formatMoney } from '#app/shared/server/money-text.ts'
import type { Facts } from '../facts.ts'
import type { MailingShop } from '../settings.ts'
import { button, details, type Part, paragraph, table, textLines } from './parts.ts'
import type { Templates } from './templates.ts'

const ABOUT_ORDER = 'You get this e-mail because you ordered at our shop.'

const ordersButton = ({ url }: MailingShop) =>
  button('See my orders', `${url}${href('/dashboard/user/orders')}`)

const testNotice = (isTest: boolean) =>
  isTest ? [paragraph('This was a test payment: no money was taken.')] : []

/** The lines and sums of an order, in the currency in which it was charged. */
function amounts(order: OrderAmounts, { locale }: MailingShop) {
  const { lines, subtotal, adjustments, total, currency } = order
  const money = (amount: number) => formatMoney(amount, currency, locale)
  const parts = adjustments.map(({ label, amount, included }): [string, string] => [
    included ? `Included: ${label}` : label,
    money(amount),
  ])
  return table(
    lines.map(({ name, sku, quantity, price }) => ({
      name: sku ? `${name} (SKU ${sku})` : name,
      detail: quantity > 1 ? `${quantity} × ${money(price)}` : null,
      amount: money(toMajor(toMinor(price, currency) * quantity, currency)),
    })),
    [
      ...(parts.length > 0 ? [['Subtotal', money(subtotal)] as [string, string], ...parts] : []),
      ['Total', money(total)],
    ],
  )
}

/** The sentence about what is owed of an unpaid order; empty for another one. */
const owedText = ({ unpaid, currency }: OrderAmounts, { locale }: MailingShop): string =>
  unpaid ? owedSentence(unpaid, (amount) => formatMoney(amount, currency, locale)) : ''

/** How an unpaid order is paid; nothing for another one. */
function howToPay(
  { paymentMethod, unpaid }: OrderAmounts,
  instructions: string[],
  number: number,
): Part[] {
  if (!unpaid || !paymentMethod) return []
  const reference = referenceOf(paymentMethod.method, number)
  return [
    ...(instructions.length > 0 ? [textLines(instructions)] : []),
    details([
      ['Payment', paymentMethod.name],
      ...(reference === null ? [] : [['Reference', reference] as [string, string]]),
    ]),
  ]
}

const recipientText = ({ recipient: { name, address } }: OrderAmounts) =>
  [name, address].filter(Boolean).join(', ')

const confirmationText = ({ unpaid, paymentMethod }: OrderAmounts, number: number) => {
  if (unpaid) return `We have received your order ${number}. It is not paid yet.`
  // one that is cancelled is not paid either
  return `We have received your order ${number}${paymentMethod ? '' : ' and its payment'}.`
}

function newOrderText(order: OrderAmounts, number: number, shop: MailingShop): string {
  const { unpaid, paymentMethod } = order
  if (unpaid)
    return `Order ${number} is not paid yet. ${owedText(order, shop)} The customer chose: ${paymentMethod?.name}. Enter the payment in the back office when the money is there.`
  return paymentMethod
    ? `Order ${number} was placed.`
    : `Order ${number} is paid and waits to be sent.`
}

/** Subject and text for each status; a new order ('Not Process') gets its confirmation instead. */
const STATUS_TEXTS: Record<Facts['status_changed']['status'], { subject: string; text: string }> = {
  'Not Process': { subject: 'is received', text: 'We have received your order.' },
  Processing: { subject: 'is being prepared', text: 'We are preparing your order.' },
  Shipped: { subject: 'is on its way', text: 'Your order is on its way to you.' },
  deliverd: {
    subject: 'was delivered',
    text: 'Your order was delivered. We hope that you like it.',
  },
  cancel: {
    subject: 'is cancelled',
    text: 'Your order is cancelled. If money is to be refunded, we send you another e-mail when it is on its way.',
  },
}

/** How the parcel is sent, with the page that follows it; nothing where that is not entered. */
function shipment({ carrier = null, tracking_number = null }: Facts['status_changed']): Part[] {
  const url = trackingUrlOf(carrier, tracking_number)
  const facts: [string, string | null][] = [
    ['Carrier', carrier],
    ['Tracking number', tracking_number],
  ]
  const known = facts.flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []))
  return [
    ...(known.length > 0 ? [details(known)] : []),
    ...(url ? [button('Track the parcel', url)] : []),
  ]
}

function refundText(facts: Facts['refund'], { locale }: MailingShop): string {
  const { number, amount_minor, refunded_minor, paid_minor, currency } = facts
  const amount = formatMinor(amount_minor, currency, locale)
  const paid = formatMinor(paid_minor, currency, locale)
  const of = number === null ? 'your payment' : `your order ${number}`
  if (refunded_minor < paid_minor) return `We have refunded ${amount} of ${paid} for ${of}.`
  if (amount_minor < paid_minor)
    return `We have refunded another ${amount} for ${of}. With this, all of ${paid} is refunded.`
  return `We have refunded ${amount} for ${of}, the whole amount.`
}

/** The day and the reason of a refund. */
const refundDetails = ({ date, reason }: Facts['refund']): [string, string][] => [
  ...(date ? [['Date', formatDay(date)] as [string, string]] : []),
  ...(reason ? [['Reason', reason] as [string, string]] : []),
]

const BANK_NOTICE =
  'It goes to the means of payment that you used. Your bank may need some days for it.'

const CREDIT_NOTE_NOTICE = 'The credit note is with your order in our shop.'

/** Of a reminder that is sent, or looked at, when the order is paid or cancelled. */
const NOTHING_OWED = 'Meanwhile nothing is to be paid for it any more.'

const CROSSED_NOTICE = 'If you have paid it in the last days, there is nothing to do.'

const titles = new Intl.ListFormat('en')

const attachedTexts = (attached: string[]) =>
  attached.length > 0
    ? [paragraph(`Attached, as they were when you ordered: ${titles.format(attached)}.`)]
    : []

const INVOICE_NOTICE = 'The invoice is with your order in our shop.'

export const orderTemplates = {
  order_confirmation: ({ number }, shop) => ({
    subject: `Your order ${number} at ${shop.name}`,
    preview: `We have received your order ${number}.`,
    heading: 'Thank you for your order',
    body: ({ order, instructions, attached }) => [
      paragraph([confirmationText(order, number), owedText(order, shop)].join(' ')),
      ...howToPay(order, instructions, number),
      ...testNotice(order.test),
      amounts(order, shop),
      details([
        ['Order', String(number)],
        ['Delivery to', recipientText(order)],
      ]),
      ...attachedTexts(attached),
      ordersButton(shop),
    ],
    reason: ABOUT_ORDER,
  }),
  new_order: ({ number }, shop) => ({
    subject: `New order ${number} at ${shop.name}`,
    preview: `Order ${number} waits to be sent.`,
    heading: `New order ${number}`,
    body: ({ order }) => [
      paragraph(newOrderText(order, number, shop)),
      ...testNotice(order.test),
      amounts(order, shop),
      details([
        ['Customer', order.buyer.name],
        ['Delivery to', recipientText(order)],
        ['Contact', [order.buyer.email, order.buyer.phone].filter(Boolean).join(', ')],
        ...(order.recipient.phone === order.buyer.phone
          ? []
          : [["Recipient's phone", order.recipient.phone] as [string, string]]),
      ]),
      button(
        'Open the order',
        `${shop.url}${href('/dashboard/admin/orders/:orderId', { orderId: order.id })}`,
      ),
    ],
    reason:
      'You get this e-mail because you are an admin of the shop. It can be switched off in the settings.',
  }),
  payment_reminder: ({ number }, shop) => ({
    subject: `Reminder: your order ${number} is not paid yet`,
    preview: `Please pay your order ${number}.`,
    heading: `Your order ${number} is not paid yet`,
    body: ({ order, instructions }) => [
      paragraph(owedText(order, shop) || NOTHING_OWED),
      ...howToPay(order, instructions, number),
      ...(order.unpaid ? [paragraph(CROSSED_NOTICE)] : []),
      amounts(order, shop),
      ordersButton(shop),
    ],
    reason: ABOUT_ORDER,
  }),
  payment_received: ({ number }, shop) => ({
    subject: `Your order ${number} is paid`,
    preview: `We have received the payment of your order ${number}.`,
    heading: 'Thank you for your payment',
    body: ({ order }) => [
      paragraph(`We have received the payment of your order ${number}. It is paid in full.`),
      ...testNotice(order.test),
      amounts(order, shop),
      ...(order.test ? [] : [paragraph(INVOICE_NOTICE)]),
      ordersButton(shop),
    ],
    reason: ABOUT_ORDER,
  }),
  status_changed(facts, shop) {
    const { number, status, note } = facts
    const { subject, text } = STATUS_TEXTS[status]
    const heading = `Your order ${number} ${subject}`
    return {
      subject: heading,
      preview: text,
      heading,
      body: () => [
        paragraph(text),
        ...(note ? [textLines(note.split('\n'))] : []),
        ...(status === 'Shipped' ? shipment(facts) : []),
        ordersButton(shop),
      ],
      reason: ABOUT_ORDER,
    }
  },
  refund(facts, shop) {
    const { number, test, by_hand = false, credit_note = number !== null } = facts
    const text = refundText(facts, shop)
    return {
      subject:
        number === null ? `Your refund from ${shop.name}` : `Your refund for order ${number}`,
      preview: text,
      heading: 'Your refund',
      body: () => [
        paragraph(text),
        ...testNotice(test),
        details(refundDetails(facts)),
        ...(test || by_hand ? [] : [paragraph(BANK_NOTICE)]),
        ...(test || !credit_note ? [] : [paragraph(CREDIT_NOTE_NOTICE)]),
        ordersButton(shop),
      ],
      reason: ABOUT_ORDER,
    }
  },
} satisfies Partial<Templates>
