/** E-mails about an order. */

import type { OrderAmounts } from '#app/orders/server/invoice.ts'
import { href } from '#app/shared/model/href.ts'
import { formatMinor, formatMoney } from '#app/shared/server/money.ts'
import type { Facts } from '../facts.ts'
import type { MailingShop } from '../settings.ts'
import { button, type Content, details, paragraph, table } from './parts.ts'
import { greetingOf } from './plain.ts'
import type { Sources } from './templates.ts'

const ABOUT_ORDER = 'You get this e-mail because you ordered at our shop.'

const ordersButton = ({ url }: MailingShop) =>
  button('See my orders', `${url}${href('/dashboard/user/orders')}`)

/** The lines and sums of an order, in the currency in which it was charged. */
function amountsTable(order: OrderAmounts, { locale }: MailingShop) {
  const { lines, subtotal, adjustments, total, currency } = order
  const money = (amount: number) => formatMoney(amount, currency, locale)
  const parts = adjustments.map(({ label, amount, included }) => ({
    label: included ? `Included: ${label}` : label,
    amount: money(amount),
  }))
  return table(
    lines.map(({ name, quantity, price }) => ({
      name,
      ...(quantity > 1 && { detail: `${quantity} × ${money(price)}` }),
      amount: money(Math.round(price * quantity * 100) / 100),
    })),
    [
      ...(parts.length > 0 ? [{ label: 'Subtotal', amount: money(subtotal) }, ...parts] : []),
      { label: 'Total', amount: money(total), isTotal: true },
    ],
  )
}

const testNotice = (isTest: boolean) =>
  isTest ? [paragraph('This was a test payment: no money was taken.')] : []

export function orderConfirmation(
  { name, number }: Facts<'order_confirmation'>,
  { shop, order }: Sources,
): Content {
  const { buyer, test } = order
  return {
    preview: `We have received your order ${number}.`,
    heading: 'Thank you for your order',
    greeting: greetingOf(name),
    body: [
      paragraph(`We have received your order ${number} and its payment.`),
      ...testNotice(test),
      amountsTable(order, shop),
      details([
        ['Order', String(number)],
        ['Delivery to', [buyer.name, buyer.address].filter(Boolean).join(', ')],
      ]),
      ordersButton(shop),
    ],
    reason: ABOUT_ORDER,
  }
}

/** To an admin, with the buyer, for whoever packs the order. */
export function newOrder({ name, number }: Facts<'new_order'>, { shop, order }: Sources): Content {
  const { buyer, test } = order
  const search = encodeURIComponent(`#${number}`)
  return {
    preview: `Order ${number} is paid.`,
    heading: `New order ${number}`,
    greeting: greetingOf(name),
    body: [
      paragraph(`Order ${number} is paid and waits to be sent.`),
      ...testNotice(test),
      amountsTable(order, shop),
      details([
        ['Customer', buyer.name],
        ['Delivery to', buyer.address],
        ['Contact', [buyer.email, buyer.phone].filter(Boolean).join(', ')],
      ]),
      button('Open the order', `${shop.url}${href('/dashboard/admin/orders')}?q=${search}`),
    ],
    reason:
      'You get this e-mail because you are an admin of the shop. It can be switched off in the settings.',
  }
}

type Status = Facts<'status_changed'>['status']

/** Subject and text for each status; a new order ('Not Process') gets its confirmation instead. */
const STATUS_TEXTS: Record<Status, { subject: string; text: string }> = {
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

export const statusSubject = ({ number, status }: Facts<'status_changed'>) =>
  `Your order ${number} ${STATUS_TEXTS[status].subject}`

export const statusChanged = (facts: Facts<'status_changed'>, { shop }: Sources): Content => ({
  preview: STATUS_TEXTS[facts.status].text,
  heading: statusSubject(facts),
  greeting: greetingOf(facts.name),
  body: [paragraph(STATUS_TEXTS[facts.status].text), ordersButton(shop)],
  reason: ABOUT_ORDER,
})

function refundText(facts: Facts<'refund'>, { locale }: MailingShop): string {
  const { number, amount_minor, refunded_minor, paid_minor, currency } = facts
  const amount = formatMinor(amount_minor, currency, locale)
  const paid = formatMinor(paid_minor, currency, locale)
  const of = number === null ? 'your payment' : `your order ${number}`
  if (refunded_minor < paid_minor) return `We have refunded ${amount} of ${paid} for ${of}.`
  if (amount_minor < paid_minor)
    return `We have refunded another ${amount} for ${of}. With this, all of ${paid} is refunded.`
  return `We have refunded ${amount} for ${of}, the whole amount.`
}

const BANK_NOTICE =
  'It goes to the means of payment that you used. Your bank may need some days for it.'

export const refund = (facts: Facts<'refund'>, { shop }: Sources): Content => ({
  preview: refundText(facts, shop),
  heading: 'Your refund',
  greeting: greetingOf(facts.name),
  body: [
    paragraph(refundText(facts, shop)),
    ...testNotice(facts.test),
    ...(facts.reason ? [paragraph(`Reason: ${facts.reason}`)] : []),
    ...(facts.test ? [] : [paragraph(BANK_NOTICE)]),
    ordersButton(shop),
  ],
  reason: ABOUT_ORDER,
})
