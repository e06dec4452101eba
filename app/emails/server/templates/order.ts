/** E-mails about an order. */
import type { OrderAmounts } from '#app/orders/server/invoice.ts'
import { formatDay } from '#app/shared/model/format-day.ts'
import { href } from '#app/shared/model/href.ts'
import { formatMinor, formatMoney } from '#app/shared/server/minor-units.ts'
import type { Facts } from '../facts.ts'
import type { MailingShop } from '../settings.ts'
import { button, details, paragraph, table } from './parts.ts'
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
    lines.map(({ name, quantity, price }) => ({
      name,
      detail: quantity > 1 ? `${quantity} × ${money(price)}` : null,
      amount: money(Math.round(price * quantity * 100) / 100),
    })),
    [
      ...(parts.length > 0 ? [['Subtotal', money(subtotal)] as [string, string], ...parts] : []),
      ['Total', money(total)],
    ],
  )
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

export const orderTemplates = {
  order_confirmation: ({ number }, shop) => ({
    subject: `Your order ${number} at ${shop.name}`,
    preview: `We have received your order ${number}.`,
    heading: 'Thank you for your order',
    body: ({ order }) => [
      paragraph(`We have received your order ${number} and its payment.`),
      ...testNotice(order.test),
      amounts(order, shop),
      details([
        ['Order', String(number)],
        ['Delivery to', [order.buyer.name, order.buyer.address].filter(Boolean).join(', ')],
      ]),
      ordersButton(shop),
    ],
    reason: ABOUT_ORDER,
  }),
  new_order: ({ number }, shop) => ({
    subject: `New order ${number} at ${shop.name}`,
    preview: `Order ${number} is paid.`,
    heading: `New order ${number}`,
    body: ({ order }) => [
      paragraph(`Order ${number} is paid and waits to be sent.`),
      ...testNotice(order.test),
      amounts(order, shop),
      details([
        ['Customer', order.buyer.name],
        ['Delivery to', order.buyer.address],
        ['Contact', [order.buyer.email, order.buyer.phone].filter(Boolean).join(', ')],
      ]),
      button(
        'Open the order',
        `${shop.url}${href('/dashboard/admin/orders')}?q=${encodeURIComponent(`#${number}`)}`,
      ),
    ],
    reason:
      'You get this e-mail because you are an admin of the shop. It can be switched off in the settings.',
  }),
  status_changed({ number, status }, shop) {
    const { subject, text } = STATUS_TEXTS[status]
    const heading = `Your order ${number} ${subject}`
    return {
      subject: heading,
      preview: text,
      heading,
      body: () => [paragraph(text), ordersButton(shop)],
      reason: ABOUT_ORDER,
    }
  },
  refund(facts, shop) {
    const { number, test } = facts
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
        ...(test ? [] : [paragraph(BANK_NOTICE)]),
        ...(test || number === null ? [] : [paragraph(CREDIT_NOTE_NOTICE)]),
        ordersButton(shop),
      ],
      reason: ABOUT_ORDER,
    }
  },
} satisfies Partial<Templates>
