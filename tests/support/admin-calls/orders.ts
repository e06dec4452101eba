import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { orderHandlingCalls } from '#app/orders/handling-contract.ts'
import { paymentAdminCalls } from '#app/payments/admin-contract.ts'
import { UNREACHABLE } from '#app/shared/model/messages.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { orderUnpaid } from '#tests/support/order-unpaid.ts'
import { payCancelled } from '#tests/support/pay-cancelled.ts'
import { buy, sellAndRefund, sellForMoney } from '#tests/support/purchase.ts'
import {
  ADMIN,
  type AdminCall,
  confirm,
  follow,
  followOrder,
  goBack,
  press,
  type Scene,
} from './admin-call.ts'

/** Opens the list with an order of the customer's. */
async function openOrder({ page, admin, customer }: Scene) {
  const { _id } = await buy(customer, [await createProduct(admin, named('Cup'))])
  await page.goto(`${ADMIN}/orders?q=${_id}`)
}

/** Opens the page of an order of the customer's. */
async function openOrderPage({ page, admin, customer }: Scene) {
  const order = await buy(customer, [await createProduct(admin, named('Cup'))])
  await page.goto(`${ADMIN}/orders/${order._id}`)
  return order
}

export const ORDERS: AdminCall[] = [
  {
    call: orderAdminCalls.getAllOrders,
    open: async ({ page }) => {
      await page.goto(`${ADMIN}/orders`)
      await page.getByLabel('Order number, buyer').fill('no such buyer')
      await press(page, 'Find')
      await page.getByText('No orders found.').waitFor()
    },
    send: (page) => press(page, 'Find'),
    again: (page) => press(page, 'Try again'),
    failed: 'This could not be loaded.',
    // spec §8: the failure is only logged
    always: true,
  },
  {
    call: orderAdminCalls.setOrderStatus,
    open: openOrder,
    send: (page) =>
      page
        .getByLabel(/^Status of order/)
        .first()
        .selectOption('Shipped'),
    failed: 'The status could not be changed.',
  },
  {
    call: orderHandlingCalls.getOrderDetail,
    open: openOrder,
    send: followOrder,
    again: goBack,
    failed: UNREACHABLE,
  },
  {
    call: orderHandlingCalls.changeOrders,
    open: async (scene) => {
      await openOrderPage(scene)
      await press(scene.page, 'Mark as shipped')
      await scene.page.getByRole('dialog').getByLabel('Tracking number').fill('JJD0001')
    },
    send: (page) => confirm(page, 'Mark as shipped'),
    failed: 'The order could not be changed.',
  },
  {
    call: orderHandlingCalls.addOrderNote,
    open: async (scene) => {
      await openOrderPage(scene)
      await press(scene.page, 'Add a note')
      await scene.page.getByRole('dialog').getByLabel('Note').fill('Leave it at the door.')
    },
    send: (page) => confirm(page, 'Add note'),
    failed: 'The note could not be added.',
  },
  {
    call: orderHandlingCalls.deleteOrderNote,
    open: async (scene) => {
      const { _id: orderId } = await openOrderPage(scene)
      const body = { text: 'Leave it at the door.' }
      await scene.admin.call(orderHandlingCalls.addOrderNote, { params: { orderId }, body })
      await scene.page.reload()
      await press(scene.page, 'Delete note')
    },
    send: (page) => confirm(page, 'Delete'),
    failed: 'The note could not be deleted.',
  },
  {
    call: orderAdminCalls.getOrderInvoice,
    open: openOrderPage,
    send: (page) =>
      page
        .getByRole('link', { name: /^Invoice( \d+)? of order/ })
        .first()
        .click(),
    again: goBack,
    failed: UNREACHABLE,
  },
  {
    call: orderAdminCalls.getOrderCreditNote,
    open: async (scene) => {
      const product = await createProduct(scene.admin, named('Cup'))
      const { order } = await sellAndRefund(scene, product)
      await scene.page.goto(`${ADMIN}/orders/${order._id}`)
    },
    send: (page) => page.getByRole('link', { name: /^Credit note \d+$/ }).click(),
    again: goBack,
    failed: UNREACHABLE,
  },
  {
    call: orderAdminCalls.getFigures,
    open: ({ page }) => page.goto(ADMIN),
    send: (page) => follow(page, 'Home'),
    failed: 'The figures could not be loaded.',
  },
  {
    call: orderAdminCalls.exportOrders,
    open: ({ page }) => page.goto(`${ADMIN}/import-export`),
    send: (page) => press(page, 'Export orders'),
    failed: 'The file could not be downloaded.',
  },
  {
    call: paymentAdminCalls.getPayments,
    open: ({ page }) => page.goto(`${ADMIN}/payments`),
    send: (page) => follow(page, 'Payments'),
    failed: 'The payments could not be loaded.',
  },
  {
    call: paymentAdminCalls.refundOrder,
    open: async (scene) => {
      await openOrderPage(scene)
      await press(scene.page, 'Refund')
      const dialog = scene.page.getByRole('dialog')
      await dialog.getByLabel('Amount').fill('2.50')
      await dialog.getByLabel('Reason').fill('A cup was cracked.')
    },
    send: (page) => confirm(page, 'Refund'),
    failed: 'The refund could not be started.',
  },
  {
    call: paymentAdminCalls.receivePayment,
    open: async (scene) => {
      const { _id } = await orderUnpaid(scene, await createProduct(scene.admin, named('Cup')))
      await scene.page.goto(`${ADMIN}/orders/${_id}`)
      await scene.page
        .getByRole('region', { name: 'Payment' })
        .getByRole('button', { name: 'Enter payment' })
        .click()
      await scene.page.getByRole('dialog').getByLabel('Amount').fill('2.50')
    },
    send: (page) => confirm(page, 'Enter payment'),
    failed: 'The payment could not be entered.',
  },
  {
    call: paymentAdminCalls.giveUpRefund,
    open: async ({ page, admin, customer, address }) => {
      const product = await createProduct(admin, named('Cup'))
      await sellForMoney(customer, product, { refundRefused: true, address })
      await page.goto(`${ADMIN}/payments?state=refund_refused`)
      const payment = page.getByRole('row').filter({ hasText: customer.email })
      await payment.getByRole('button', { name: 'Give up refund' }).click()
    },
    send: (page) => confirm(page, 'Give up refund'),
    failed: 'The refund could not be given up.',
  },
  {
    call: paymentAdminCalls.resolvePayment,
    open: async ({ page, admin, customer, address }) => {
      await payCancelled(customer, admin, address)
      await page.goto(`${ADMIN}/payments?state=needs_attention`)
      const payment = page.getByRole('row').filter({ hasText: customer.email })
      await payment.getByRole('button', { name: 'Resolve' }).click()
      await page.getByLabel('Note').fill('Refunded by bank transfer.')
    },
    send: (page) => confirm(page, 'Resolve'),
    failed: 'The note could not be saved.',
  },
]
