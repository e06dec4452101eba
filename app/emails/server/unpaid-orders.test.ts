/** What e-mails about an unpaid order say. */

import { beforeAll, describe, expect, it } from 'vitest'
import { recordEvent } from '#app/shared/server/outbox/events-store.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { openMailShop } from '#tests/support/mail-shop.ts'
import { addOrder } from '#tests/support/orders.ts'
import { paymentMethods } from '#tests/support/payment-methods.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { sendEmails } from '#tests/support/smtp.ts'

const { smtp, shop } = await openMailShop()

let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true, name: 'Ada' })
})

type KindOfOrder = 'order_confirmation' | 'new_order' | 'payment_reminder' | 'payment_received'

/** What happened to the order. */
const EVENTS = {
  order_confirmation: 'order_placed',
  new_order: 'order_placed',
  payment_reminder: 'payment_overdue',
  payment_received: 'order_paid',
} as const

const SUBJECTS: Record<KindOfOrder, (number: number) => string> = {
  order_confirmation: (number) => `Your order ${number} at Haat`,
  new_order: (number) => `New order ${number} at Haat`,
  payment_reminder: (number) => `Reminder: your order ${number} is not paid yet`,
  payment_received: (number) => `Your order ${number} is paid`,
}

describe('an unpaid order', () => {
  const DUE_AT = new Date('2026-11-01T10:00:00Z')

  /** Sends e-mails about an order; answers them in the order of their kinds. */
  async function mailed(kinds: KindOfOrder[], order?: Parameters<typeof addOrder>[2]) {
    const buyer = await addPerson(shop.db)
    const { id, number } = await addOrder(shop.db, buyer, order)
    for (const kind of new Set(kinds.map((each) => EVENTS[each])))
      await recordEvent(shop.db, { kind, subjectId: id, facts: { number } })
    await sendEmails(shop)
    const inbox = kinds.map((kind) => {
      const { email } = kind === 'new_order' ? admin : buyer
      const subject = SUBJECTS[kind](number)
      return smtp.received.find((message) => message.to === email && message.subject === subject)
    })
    return { number, inbox }
  }

  beforeAll(async () => {
    const { save } = settingsThrough(shop, () => admin)
    const instructions = 'Our account:\n\n- IBAN **DE02 1203**'
    const methods = paymentMethods({ bank_transfer: { instructions }, pay_on_delivery: {} })
    expect(await save({ paymentMethods: methods, currencyDisplay: 'INR' })).toMatchObject({
      status: 200,
    })
  })

  it('is confirmed and reminded of with what is owed, until when, and how to pay', async () => {
    const { number, inbox } = await mailed(
      ['order_confirmation', 'payment_reminder', 'new_order'],
      {
        unpaid: { method: 'bank_transfer', dueAt: DUE_AT, received: 998 },
      },
    )
    const [confirmation, reminder, news] = inbox
    expect(confirmation?.text).toContain(`We have received your order ${number}. It is not paid`)
    for (const message of [confirmation, reminder])
      for (const part of [
        '₹30.00 was to be paid by November 1, 2026.',
        'Our account:\n- IBAN DE02 1203',
        'Payment: Bank transfer',
        `Reference: Order ${number}`,
        'Total: ₹39.98',
      ])
        expect(message?.text).toContain(part)
    expect(news?.text).toContain(`Order ${number} is not paid yet. ₹30.00 was to be paid by`)
  })

  it('has no reference when it is paid on delivery', async () => {
    const { inbox } = await mailed(['order_confirmation'], {
      unpaid: { method: 'pay_on_delivery', dueAt: DUE_AT },
    })
    expect(inbox[0]?.text).toContain('Payment: Pay on delivery')
    expect(inbox[0]?.text).not.toContain('Reference')
  })

  it('is confirmed when it is paid, and then not asked for any more', async () => {
    const { inbox } = await mailed(['payment_received', 'payment_reminder'])
    expect(inbox[0]?.text).toContain('It is paid in full.')
    expect(inbox[1]?.text).not.toContain('to be paid by')
  })
})
