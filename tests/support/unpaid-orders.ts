import { randomUUID } from 'node:crypto'
import { beforeAll } from 'vitest'
import type { Order, PaymentMethod } from '#app/orders/contract.ts'
import { addPerson, type Person } from './accounts.ts'
import { paymentMethods } from './payment-methods.ts'
import { paymentShop } from './payment-shop.ts'
import { cartOf } from './payments.ts'
import { settingsThrough } from './settings.ts'

type Placed = { id: string; key: string; checkout: string; order: Order }

/** A shop of cups that are paid on delivery, or by bank transfer within a week, without a provider. */
export function unpaidShop(settings: Record<string, string> = {}) {
  const world = paymentShop(settings)
  const { shop, admin, asAdmin, cup } = world
  const { save } = settingsThrough(shop, admin)
  beforeAll(async () => {
    const methods = paymentMethods({ bank_transfer: { days: 7 }, pay_on_delivery: { fee: 2 } })
    await save({ paymentMethods: methods, currencyDisplay: 'INR' })
  })

  const order = <Body = Placed>(
    person: Person,
    product: { id: string },
    {
      method = 'bank_transfer',
      from = '',
      ...facts
    }: { method?: PaymentMethod; from?: string; [fact: string]: unknown } = {},
  ) =>
    shop.post<Body>('/product/razorpay/order', {
      token: person.token,
      ...(from && { from }),
      body: { amount: 1250, cart: cartOf(product), paymentMethod: method, ...facts },
    })

  return {
    ...world,
    save,
    /** Places an order. */
    order,
    /** A new buyer with an unpaid order of one cup of three. */
    async ordered(facts = {}) {
      const buyer = await addPerson(shop.db)
      const product = await cup({ quantity: 3 })
      const { body } = await order(buyer, product, facts)
      return { buyer, product, order: body.order }
    },
    /** The admin enters money that came in. */
    receive: ({ _id }: { _id: string }, facts: object = {}) =>
      shop.post<{ message: string; field?: string }>(`/payment/receive/${_id}`, {
        ...asAdmin(),
        body: { amount: 12.5, date: today(), key: randomUUID(), ...facts },
      }),
  }
}

/** A day of the shop's time zone, UTC, so many days from now. */
export const today = (days = 0) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
