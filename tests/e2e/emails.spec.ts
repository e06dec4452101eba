/** How e-mails look in a browser, as in clients that render HTML: in both themes, on a narrow phone. */

import type { EmailFacts } from '#app/emails/server/facts.ts'
import { renderEmail } from '#app/emails/server/templates/templates.ts'
import type { Invoice } from '#app/orders/contract.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { expect, test } from '#tests/support/journey.ts'

const SHOP = {
  name: 'Haat',
  url: 'https://shop.example.com',
  locale: 'en-US',
  timeZone: 'UTC',
  accent: '#0b5d8a',
  attached: ['Imprint', 'Terms'],
  logo: null,
}
const LONG = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(2)
const LINK = `https://shop.example.com/confirm-email#${'t'.repeat(43)}`

const invoice: Invoice = {
  number: 7,
  date: '2026-11-23',
  orderNumber: 7,
  orderDate: '2026-11-23',
  orderId: '',
  paymentId: '',
  currency: 'INR',
  test: true,
  seller: { name: '', address: '', taxNumber: '' },
  buyer: { name: 'Asha', email: '', phone: '', address: `1 ${LONG} Lane` },
  lines: [
    {
      _id: '',
      name: LONG,
      quantity: 3,
      price: 12_345.67,
      discount: 0,
      taxRate: null,
      tax: 0,
      amount: 37_037.01,
    },
  ],
  subtotal: 37_037.01,
  adjustments: [
    {
      kind: 'discount',
      label: `Coupon ${LONG}`,
      amount: -100,
      included: false,
      taxRate: null,
      tax: 0,
      basis: null,
    },
  ],
  total: 36_937.01,
  refunded: 0,
}

const amounts = { amount_minor: 1000, refunded_minor: 1000, paid_minor: 3750, currency: 'INR' }

const unpaid = { owed: 19.99, dueDate: '2026-12-07', isLate: false }
const paymentMethod = { method: 'bank_transfer' as const, name: 'Bank transfer', received: 0 }
const sources = {
  shop: SHOP,
  link: LINK,
  order: { ...invoice, id: invoice.orderId, recipient: invoice.buyer, paymentMethod, unpaid },
  instructions: [LONG, 'IBAN DE02 1203 0000 0000 2020 51'],
  attached: ['Imprint', 'Terms'],
  logo: null,
}

const EMAILS: Record<string, EmailFacts> = {
  welcome: { kind: 'welcome', facts: {} },
  'a reminder': { kind: 'payment_reminder', facts: { number: 7 } },
  'an order': { kind: 'order_confirmation', facts: { number: 7 } },
  'a status': {
    kind: 'status_changed',
    facts: {
      number: 7,
      status: 'Shipped',
      carrier: 'DHL',
      tracking_number: LONG,
      note: LONG,
    },
  },
  'a refund': {
    kind: 'refund',
    facts: { number: 7, ...amounts, reason: LONG, test: false },
  },
  'a reset link': { kind: 'password_reset', facts: { is_admin: false } },
  'a sign-in': {
    kind: 'new_sign_in',
    facts: { address: '203.0.113.7', browser: LONG, at: '2026-11-23T05:00:00Z' },
  },
}

for (const [name, email] of Object.entries(EMAILS)) {
  test(`${name} is readable in both themes and on a narrow phone`, async ({ page }) => {
    await page.setContent(renderEmail({ ...email, name: 'Asha Rao' }, sources).html)
    await expectAccessible(page, name)
    const colours = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme })
      return page.locator('td.card').evaluate((card) => getComputedStyle(card).backgroundColor)
    }
    expect(await colours('light')).toBe('rgb(255, 253, 248)')
    expect(await colours('dark')).toBe('rgb(42, 33, 27)')
  })
}
