import { orderMoneyCalls } from '#app/payments/order-admin-contract.ts'
import { UNREACHABLE } from '#app/shared/model/messages.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { buy } from '#tests/support/purchase.ts'
import {
  ADMIN,
  type AdminCall,
  confirm,
  followOrder,
  goBack,
  press,
  type Scene,
} from './admin-call.ts'

/** Opens an order of the customer's. */
async function openOrder({ page, admin, customer }: Scene) {
  const { _id } = await buy(customer, [await createProduct(admin, named('Cup'))])
  await page.goto(`${ADMIN}/orders/${_id}`)
}

/** Chooses a product of an order by hand. */
async function chooseProduct({ page, admin }: Scene) {
  const { name } = await createProduct(admin, named('Cup'))
  await page.goto(`${ADMIN}/create-order`)
  await page.getByRole('combobox', { name: 'Add a product' }).fill(name)
  await page.getByRole('option', { name }).click()
}

export const ORDER_MONEY: AdminCall[] = [
  {
    call: orderMoneyCalls.getRefundable,
    open: async ({ page, admin, customer }) => {
      const { _id } = await buy(customer, [await createProduct(admin, named('Cup'))])
      await page.goto(`${ADMIN}/orders?q=${_id}`)
    },
    send: followOrder,
    again: goBack,
    failed: UNREACHABLE,
  },
  {
    call: orderMoneyCalls.cancelOrder,
    open: async (scene) => {
      await openOrder(scene)
      await press(scene.page, 'Cancel order')
      await scene.page.getByRole('dialog').getByLabel('Reason').waitFor()
    },
    send: (page) => confirm(page, 'Cancel order'),
    failed: 'The order could not be cancelled.',
  },
  {
    call: orderMoneyCalls.quoteOrder,
    open: chooseProduct,
    send: (page) => page.getByLabel(/^Quantity of/).fill('2'),
    again: (page) => page.getByLabel(/^Quantity of/).fill('1'),
    failed: 'The total could not be calculated.',
  },
  {
    call: orderMoneyCalls.createOrder,
    open: async (scene) => {
      await chooseProduct(scene)
      const { page } = scene
      await page.getByLabel('A new customer').check()
      await page.getByLabel('Name').fill('Meera Rao')
      await page.getByLabel('Payment', { exact: true }).selectOption('Paid in cash')
      await page.getByRole('status').filter({ hasText: 'Total' }).waitFor()
    },
    send: (page) => press(page, 'Place order'),
    failed: 'The order could not be placed.',
  },
]
