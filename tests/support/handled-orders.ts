/** The orders of a shop as an admin handles them by the API, and what their customers get. */

import { beforeAll } from 'vitest'
import type { Order } from '#app/orders/contract.ts'
import type { OrderChange, OrderDetail } from '#app/orders/handling-contract.ts'
import { addPerson, type Person } from './accounts.ts'
import { openMailShop } from './mail-shop.ts'
import { addOrder } from './orders.ts'
import { passPauses, sendEmails } from './smtp.ts'

type Answer = { message: string; changed: number; mailed: number; before: OrderChange[] }

/** A shop with an SMTP server and an admin, for the tests of one file. */
export async function openHandledOrders() {
  const { smtp, shop } = await openMailShop()
  let admin: Person
  beforeAll(async () => {
    admin = await addPerson(shop.db, { admin: true, name: 'Ada' })
  })
  const asAdmin = (body?: unknown) => ({ token: admin.token, body })
  /** The e-mails that a person has got once every pause is over. */
  const inboxOf = async ({ email }: Person) => {
    await passPauses(shop)
    await sendEmails(shop)
    return smtp.received.filter(({ to }) => to === email)
  }
  return {
    smtp,
    shop,
    asAdmin,
    inboxOf,
    subjectsOf: async (person: Person) => (await inboxOf(person)).map(({ subject }) => subject),
    change: (body: object) => shop.put<Answer>('/order/orders', asAdmin(body)),
    setStatus: (id: string, body: object) =>
      shop.put<Order>(`/auth/order-status/${id}`, asAdmin(body)),
    detail: async (id: string) =>
      (await shop.get<OrderDetail>(`/order/order/${id}`, asAdmin())).body,
    ownOrder: async ({ token }: Person) =>
      (await shop.get<Order[]>('/auth/orders', { token })).body[0],
    ordered: async () => {
      const buyer = await addPerson(shop.db)
      return { buyer, ...(await addOrder(shop.db, buyer)) }
    },
  }
}
