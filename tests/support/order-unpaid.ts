import type { Order } from '#app/orders/contract.ts'
import { paymentCalls } from '#app/payments/contract.ts'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import type { Visitor } from './journey.ts'
import { paymentMethods } from './payment-methods.ts'

/** Lets the shop offer bank transfers, and the customer order a product that is to be paid by one. */
export async function orderUnpaid(
  { admin, customer }: { admin: Visitor; customer: Visitor },
  { _id, price }: { _id: string; price: number },
): Promise<Order> {
  const { revision, settings } = await admin.call(settingsAdminCalls.getAllSettings)
  const changes = { paymentMethods: paymentMethods({ bank_transfer: {} }) }
  await admin.call(settingsAdminCalls.saveSettings, {
    body: { revision, settings: { ...settings, ...changes }, password: DEMO_ADMIN.password },
  })
  const body = { amount: Math.round(price * 100), cart: [{ _id }] }
  const { order } = await customer.call(paymentCalls.startPayment, {
    body: { ...body, paymentMethod: 'bank_transfer' },
  })
  if (!order) throw new Error('There is no order.')
  return order
}
