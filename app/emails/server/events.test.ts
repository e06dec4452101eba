/** Which events send an e-mail, and what it says. */

import { beforeAll, describe, expect, it } from 'vitest'
import { columnsOfKind, rulesOf } from '#app/accounts/server/account-kinds.sql.ts'
import type { Order, OrderStatus } from '#app/orders/contract.ts'
import { ACCOUNT_KINDS } from '#app/shared/contract/access.ts'
import { recordEvent } from '#app/shared/server/outbox/events-store.ts'
import { addPerson, PASSWORD, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { openMailShop } from '#tests/support/mail-shop.ts'
import { addOrder, LINE } from '#tests/support/orders.ts'
import { cartOf, purchases, signedPayment } from '#tests/support/payments.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { passPauses, sendEmails } from '#tests/support/smtp.ts'
import { paymentOf, provider, refundReport } from '#tests/support/webhook.ts'

const { smtp, shop } = await openMailShop()
const { start, verify } = purchases(shop)

let admin: Person
let category: { id: string }
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true, name: 'Ada' })
  category = await addCategory(shop.db, 'Kitchen')
})

/** The e-mails that a person has got, the oldest first. */
async function inboxOf({ email }: { email: string }) {
  await sendEmails(shop)
  const found = smtp.received.filter(({ to }) => to === email)
  return found.sort((a, b) =>
    String(a.headers['message-id']).localeCompare(String(b.headers['message-id'])),
  )
}
const subjectsOf = async (person: { email: string }) =>
  (await inboxOf(person)).map(({ subject }) => subject)

const register = async (facts: object = {}) => {
  const email = `${crypto.randomUUID()}@example.com`
  const body = { name: 'Asha Rao', phone: '5', address: '1 Lane', answer: 'Chess', ...facts }
  const reply = await shop.post('/auth/register', { body: { ...body, email, password: PASSWORD } })
  expect(reply.status).toBe(201)
  return { email }
}

async function bought(couponCodes?: string[]) {
  const buyer = await addPerson(shop.db)
  const cup = await addProduct(shop.db, { category, name: 'Cup <b>of</b> "tea"', quantity: 5 })
  const jug = await addProduct(shop.db, { category, name: 'Jug' })
  const { body } = await start(buyer, {
    amount: 3750,
    cart: cartOf(cup, cup, jug),
    ...(couponCodes && { couponCodes }),
  })
  const proof = signedPayment(body.id)
  const { order } = (await verify(buyer, proof)).body
  return { buyer, order, proof, paymentId: proof.razorpay_payment_id }
}

describe('a registration', () => {
  it('sends a welcome with a link that confirms the address, once', async () => {
    const person = await register()
    const [message] = await inboxOf(person)
    expect(message?.subject).toBe('Welcome to Haat: please confirm your address')
    expect(message?.text).toContain('Hello Asha Rao,')
    const [, token] = /confirm-email#([\w-]+)/.exec(message?.text ?? '') ?? []
    const { token: session } = (
      await shop.post<{ token: string }>('/auth/login', {
        body: { email: person.email, password: PASSWORD },
      })
    ).body
    const status = async () => (await shop.get('/auth/email-status', { token: session })).body
    expect(await status()).toEqual({ email: person.email, confirmed: false })
    const confirm = () => shop.post('/auth/confirm-email', { token: session, body: { token } })
    expect((await confirm()).status).toBe(200)
    expect(await status()).toEqual({ email: person.email, confirmed: true })
    expect(await confirm()).toMatchObject({ status: 400, body: { code: 'invalid' } })
  })

  it('sends no link of a stranger to the owner of an address', async () => {
    const person = await register({ name: 'Win 100 at https://evil.example' })
    const [message] = await inboxOf(person)
    expect(message?.raw).not.toContain('evil')
    expect(message?.text).toContain('Hello,')
  })

  it('sends nothing when it is refused', async () => {
    const { email } = await register()
    const body = { name: 'A', phone: '5', address: '1', answer: 'Chess', email, password: PASSWORD }
    expect((await shop.post('/auth/register', { body })).status).toBe(409)
    expect(await subjectsOf({ email })).toHaveLength(1)
  })
})

describe('an order', () => {
  it('is confirmed once, with the lines and the amounts of its payment', async () => {
    const { buyer, proof } = await bought()
    // reported again
    await verify(buyer, proof)
    const messages = await inboxOf(buyer)
    expect(messages).toHaveLength(1)
    const [message] = messages
    expect(message?.subject).toMatch(/^Your order \d+ at Haat$/)
    expect(message?.text).toContain('Cup <b>of</b> "tea"  2 × ₹12.50  ₹25.00')
    expect(message?.text).toContain('Total: ₹37.50')
    expect(message?.text).toContain('Delivery to: Asha Rao, 1 Market Lane')
    expect(message?.html).toContain('Cup &lt;b&gt;of&lt;/b&gt; &quot;tea&quot;')
    expect(message?.html).not.toContain('<b>')
  })

  it('is reported to each admin once, with its buyer, unless the settings switch it off', async () => {
    const other = await addPerson(shop.db, { admin: true, name: 'Grace' })
    const { buyer, order, proof } = await bought()
    await verify(buyer, proof)
    for (const { email } of [admin, other]) {
      const about = (await inboxOf({ email })).filter(({ subject }) =>
        subject?.includes(` ${order.number} `),
      )
      expect(about).toMatchObject([{ subject: `New order ${order.number} at Haat` }])
      expect(about[0]?.text).toContain('Customer: Asha Rao')
      expect(about[0]?.text).toContain(`Contact: ${buyer.email}, 555 0100`)
      expect(about[0]?.text).toContain('Total: ₹37.50')
      expect(about[0]?.text).toContain(`/dashboard/admin/orders/${order._id}`)
    }
    const { save } = settingsThrough(shop, () => admin)
    await save({ mailsOrders: false })
    const silent = await bought()
    expect(await subjectsOf(admin)).not.toContain(`New order ${silent.order.number} at Haat`)
    expect(await subjectsOf(silent.buyer)).toHaveLength(1)
    await save({ mailsOrders: true })
  })

  it('shows discounts, shipping and taxes as the order has them', async () => {
    const buyer = await addPerson(shop.db)
    const adjustments = [
      {
        kind: 'discount' as const,
        label: 'Coupon TEN',
        source: 'TEN',
        amount_minor: -400,
        is_included: false,
        tax_minor: 0,
        tax_rate: null,
        basis_minor: null,
      },
      {
        kind: 'shipping' as const,
        label: 'Post',
        source: 'post',
        amount_minor: 500,
        is_included: false,
        tax_minor: 0,
        tax_rate: null,
        basis_minor: null,
      },
      {
        kind: 'tax' as const,
        label: 'VAT 18%',
        source: 'vat',
        amount_minor: 549,
        is_included: true,
        tax_minor: 0,
        tax_rate: 18000,
        basis_minor: 3049,
      },
    ]
    const order = await addOrder(shop.db, buyer, { lines: [LINE], adjustments })
    const { id: subjectId, number } = order
    await recordEvent(shop.db, { kind: 'order_placed', subjectId, facts: { number } })
    const [message] = await inboxOf(buyer)
    for (const line of [
      'Subtotal: ₹39.98',
      'Coupon TEN: -₹4.00',
      'Post: ₹5.00',
      'Included: VAT 18%: ₹5.49',
      'Total: ₹40.98',
    ])
      expect(message?.text).toContain(line)
  })
})

describe('a status', () => {
  /** Sets statuses, each when the e-mail about the former one is due. */
  const setStatus = async ({ id }: { id: string }, ...statuses: OrderStatus[]) => {
    for (const status of statuses) {
      const body = { status }
      const reply = await shop.put(`/auth/order-status/${id}`, { token: admin.token, body })
      expect(reply.status).toBe(200)
      await passPauses(shop)
    }
  }

  it('mails the buyer once a status, and not when it is set back', async () => {
    const buyer = await addPerson(shop.db)
    const order = await addOrder(shop.db, buyer)
    await setStatus(order, 'Shipped', 'Shipped', 'Processing', 'Not Process', 'Shipped', 'deliverd')
    expect(await subjectsOf(buyer)).toEqual([
      `Your order ${order.number} is on its way`,
      `Your order ${order.number} was delivered`,
    ])
  })

  it('mails the buyer of a cancelled order, also when it continues after all', async () => {
    const buyer = await addPerson(shop.db)
    const order = await addOrder(shop.db, buyer)
    await setStatus(order, 'Processing', 'cancel', 'Processing', 'Shipped')
    expect(await subjectsOf(buyer)).toEqual([
      `Your order ${order.number} is being prepared`,
      `Your order ${order.number} is cancelled`,
      `Your order ${order.number} is on its way`,
    ])
  })

  it('mails the buyer once when two admins set it at the same time', async () => {
    const buyer = await addPerson(shop.db)
    const order = await addOrder(shop.db, buyer)
    await Promise.all([setStatus(order, 'Shipped'), setStatus(order, 'Shipped')])
    expect(await subjectsOf(buyer)).toHaveLength(1)
  })
})

describe('a refund', () => {
  const refund = ({ _id }: Order, body: object) =>
    shop.post(`/payment/refund/${_id}`, { token: admin.token, body })

  it('mails the buyer for each part, with its reason', async () => {
    const { buyer, order } = await bought()
    await refund(order, { amount: 10, reason: 'The jug was cracked.' })
    await refund(order, { reason: 'So was the cup.' })
    const [, part, rest] = await inboxOf(buyer)
    expect(part?.subject).toMatch(/^Your refund for order \d+$/)
    expect(part?.text).toMatch(/We have refunded ₹10\.00 of ₹37\.50 for your order \d+\./)
    expect(part?.text).toContain('Reason: The jug was cracked.')
    expect(part?.text).toMatch(/Date: \w+ \d+, \d{4}/)
    expect(rest?.text).toMatch(/another ₹27\.50 for your order \d+\. With this, all of ₹37\.50/)
  })

  it('mails the buyer once when the webhook reports it, too', async () => {
    const { buyer, order, proof, paymentId } = await bought()
    await refund(order, { reason: 'Cracked' })
    const payment = paymentOf(proof.razorpay_order_id, paymentId, { amount: 3750 })
    await provider(shop).tell(refundReport('refund.processed', payment))
    await provider(shop).tell(refundReport('refund.processed', payment))
    const messages = await inboxOf(buyer)
    expect(messages).toHaveLength(2)
    expect(messages[1]?.text).toMatch(
      /We have refunded ₹37\.50 for your order \d+, the whole amount/,
    )
  })

  it('mails the buyer when it was made in the dashboard of the provider', async () => {
    const { buyer, proof, paymentId } = await bought()
    const payment = paymentOf(proof.razorpay_order_id, paymentId, { amount: 3750 })
    await provider(shop).tell(refundReport('refund.processed', payment))
    expect(await subjectsOf(buyer)).toHaveLength(2)
  })
})

describe('an e-mail to the staff', () => {
  it.each(ACCOUNT_KINDS)(
    'goes to an account of the kind %s where its rules say so',
    async (kind) => {
      const { id } = await addPerson(shop.db)
      await shop.db.updateTable('users').set(columnsOfKind(kind)).where('id', '=', id).execute()
      const facts = { connection: 'email', by: 'Ada', at: new Date().toISOString() }
      const eventId = await recordEvent(shop.db, { kind: 'settings_changed', facts })
      const emails = await shop.db
        .selectFrom('emails')
        .where('event_id', '=', eventId)
        .where('user_id', '=', id)
        .select('id')
        .execute()
      expect(emails).toHaveLength(rulesOf(columnsOfKind(kind)).getsStaffEmails ? 1 : 0)
    },
  )
})

describe('a new password', () => {
  it('mails its user after a reset and after a change, and not after other changes', async () => {
    const person = await register()
    const body = { email: person.email, answer: 'chess', newPassword: 'another-horse' }
    expect((await shop.post('/auth/forgot-password', { body })).status).toBe(200)
    const { token } = (
      await shop.post<{ token: string }>('/auth/login', {
        body: { email: person.email, password: 'another-horse' },
      })
    ).body
    await shop.put('/auth/profile', { token, body: { password: 'correct-horse' } })
    // another field is no news
    await shop.put('/auth/profile', { token, body: { phone: '6' } })
    expect(await subjectsOf(person)).toEqual([
      'Welcome to Haat: please confirm your address',
      'Your password at Haat was changed',
      'Your password at Haat was changed',
    ])
  })
})
