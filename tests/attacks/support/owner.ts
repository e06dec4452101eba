/** A customer with one of every object. */

import type { Access } from '#app/shared/contract/access.ts'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { addOrder } from '#tests/support/orders.ts'
import { cartOf, purchases } from '#tests/support/payments.ts'
import type { TestShop } from '#tests/support/shop.ts'

/** A customer with an order whose money has an issue, a started payment, and things to sell. */
export async function addOwner(shop: TestShop) {
  const { db } = shop
  const person = await addPerson(db, { name: `Owner ${crypto.randomUUID()}` })
  const contact = { phone: `555 ${crypto.randomUUID()}`, address: `Lane ${crypto.randomUUID()}` }
  await db.updateTable('users').set(contact).where('id', '=', person.id).execute()
  const category = await addCategory(db, crypto.randomUUID())
  const product = await addProduct(db, { category, price: 12.5, quantity: 1000 })
  // an order that is not sent keeps the account open
  const order = await addOrder(db, person, { status: 'deliverd' })
  const cart = cartOf(product)
  const { body } = await purchases(shop).start(person, { amount: 1250, cart })
  const money = order.payment
  const issue = { issue: 'amount_mismatch' as const }
  await db.updateTable('captures').set(issue).where('provider_payment_id', '=', money).execute()
  return { person, contact, order, cart, category, product, payment: body.id, money }
}
export type Owner = Awaited<ReturnType<typeof addOwner>>

const SENDERS: Record<Access, (owner: Owner, admin: Person) => Person> = {
  public: (_owner, admin) => admin,
  user: ({ person }) => person,
  admin: (_owner, admin) => admin,
}

/** The caller by whom a call of its access level is attacked. */
export const senderOf = (
  { access }: Pick<Endpoint, 'access'>,
  { owner, admin }: { owner: Owner; admin: Person },
): Person => SENDERS[access](owner, admin)

/** Texts that only the owner and admins may read. */
export const privateTexts = ({ person, contact, order, payment, money }: Owner): string[] => [
  ...Object.values(person),
  ...Object.values(contact),
  order.id,
  order.payment,
  payment,
  money,
]
