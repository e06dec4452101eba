/** Payments that a shop of 0.7.0 had started, after the upgrade. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CUSTOMER } from '#tests/releases/fill-shop.ts'
import { restoreDump } from '#tests/releases/restore-dump.ts'
import { payInSandbox, signedPayment } from '#tests/support/payments.ts'
import { shopOn, type TestShop } from '#tests/support/shop.ts'
import type { OpenDatabase } from './connect.ts'
import { migrate } from './migrate.ts'

/** Starts the payment of an earlier order once more. */
const started = (id: string, state: string) => sql`
  insert into payments (id, user_id, provider, provider_order_id, state, reserved_until, test, amount_minor, currency,
    quote, delivery)
  select gen_random_uuid(), payments.user_id, 'sandbox', ${sql.lit(id)}, ${sql.lit(state)},
    now() + interval '15 minutes', true, amount_minor, payments.currency, quote, payments.delivery
  from payments join orders on payment_id = payments.id
  where buyer_email = ${sql.lit(CUSTOMER.email)} and state = 'paid'
  order by number limit 1`

let opened: OpenDatabase
let shop: TestShop
beforeAll(async () => {
  opened = await restoreDump('0.7.0')
  await started('order_open', 'open').execute(opened.db)
  await started('order_expired', 'expired').execute(opened.db)
  await migrate(opened.db)
  shop = await shopOn(opened.db)
})
afterAll(async () => {
  await shop.app.close()
  await opened.close()
})

it.each(['order_open', 'order_expired'])(
  '%s is verified, and its order has the contact of its buyer',
  async (id) => {
    const { token, user } = (
      await shop.post<{ token: string; user: { _id: string } }>('/auth/login', { body: CUSTOMER })
    ).body
    const proof = signedPayment(id)
    await payInSandbox(shop.db, proof)
    const { status, body } = await shop.post<{ order: object }>('/product/razorpay/verify', {
      token,
      body: proof,
    })
    expect(status).toBe(200)
    expect(body.order).toMatchObject({
      buyer: { _id: user._id, name: 'Asha Rao' },
      delivery: { name: 'Asha Rao', email: CUSTOMER.email, phone: '555 0100' },
    })
  },
)
