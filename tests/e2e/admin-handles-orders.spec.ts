import type { Page } from '@playwright/test'
import { NOT_SENT } from '#app/emails/model.ts'
import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { orderCalls } from '#app/orders/contract.ts'
import { paymentAdminCalls } from '#app/payments/admin-contract.ts'
import { breakCall, createProduct, named } from '#tests/support/back-office.ts'
import { expect, test, type Visitor } from '#tests/support/journey.ts'
import { buy } from '#tests/support/purchase.ts'

const SEARCH = 'Order number, buyer, e-mail or payment id'
/** The row of the first order of the list. */
const order = (page: Page) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: /^Order \d+$/ }) })
    .first()
const status = (page: Page) => order(page).getByLabel(/^Status of order \d+$/)
const none = (page: Page) => page.getByText('No orders found.')

/** A customer who has bought two cups of the admin's. */
async function sell(admin: Visitor, customer: Visitor) {
  const cup = await createProduct(admin, named('Cup'))
  return { cup, sold: await buy(customer, [cup, cup]) }
}

test('an admin finds an order and says how far it has come', {
  tag: ['@journey', '@phone'],
}, async ({ page, admin, customer }) => {
  const { cup, sold } = await sell(admin, customer)
  await page.goto('/dashboard/admin/orders')
  await expect(page.getByRole('heading', { name: 'All Orders' })).toBeVisible()
  await page.getByLabel(SEARCH).fill(customer.email)
  await page.getByRole('button', { name: 'Find', exact: true }).click()
  await expect(page).toHaveURL(`/dashboard/admin/orders?q=${encodeURIComponent(customer.email)}`)
  await expect(page.getByText('1 order', { exact: true })).toBeVisible()
  for (const text of [String(sold.number), '$25.00', 'Success'])
    await expect(order(page)).toContainText(text)
  await expect(status(page)).toHaveValue('Not Process')
  expect(await status(page).getByRole('option').allTextContents()).toEqual([
    'Not Process',
    'Processing',
    'Shipped',
    'deliverd',
    'cancel',
  ])

  await status(page).selectOption('deliverd')
  const said = `Order ${sold.number} is set to deliverd. ${NOT_SENT}`
  await expect(page.getByText(said)).toBeVisible()
  await expect(status(page)).toHaveValue('deliverd')
  expect(await customer.call(orderCalls.getOrders, { query: {} })).toMatchObject([
    { status: 'deliverd' },
  ])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(status(page)).toHaveValue('Not Process')
  await page.reload()
  await expect(status(page)).toHaveValue('Not Process')

  await order(page)
    .getByRole('link', { name: `Order ${sold.number}` })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Order ${sold.number}`)
  await expect(page.getByText(`${cup.name}`)).toBeVisible()
  for (const text of ['2 × $12.50', sold.payment.razorpay_payment_id])
    await expect(page.getByRole('main')).toContainText(text)
})

test('a status is set without e-mail where the admin says so', async ({
  page,
  admin,
  customer,
}) => {
  const { sold } = await sell(admin, customer)
  await page.goto(`/dashboard/admin/orders/${sold._id}`)
  await page.getByRole('button', { name: 'Without e-mail' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Status', { exact: true }).selectOption('Shipped')
  await dialog.getByRole('button', { name: 'Set status' }).click()
  await expect(page.getByText('1 order changed.', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Timeline' })).not.toContainText('E-mail: Status')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`Order ${sold.number} is Not Process again.`)).toBeVisible()
})

test('an admin refunds a part of an order, and its buyer reads why', {
  tag: '@journey',
}, async ({ page, admin, customer }) => {
  const { sold } = await sell(admin, customer)
  await page.goto(`/dashboard/admin/orders/${sold._id}`)
  const main = page.getByRole('main')
  await main.getByRole('button', { name: 'Refund' }).click()
  const dialog = page.getByRole('dialog', { name: `Refund order ${sold.number}` })
  await expect(dialog.getByLabel('Amount')).toHaveValue('0.00')
  await dialog.getByLabel('Amount').fill('10.50')
  await dialog.getByLabel('Reason').fill('A cup was cracked.')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(page.getByText('The refund is on its way')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await expect(main).toContainText('$10.50 refunded')
  await expect(main).toContainText('Success · partly refunded')
  expect(await customer.call(orderCalls.getOrders, { query: {} })).toMatchObject([
    { refunded: 10.5, refundReason: 'A cup was cracked.' },
  ])

  await main.getByRole('button', { name: 'Refund' }).click()
  await dialog.getByRole('button', { name: 'All that is left: $14.50' }).click()
  await expect(dialog.getByLabel('Amount')).toHaveValue('14.50')
  await breakCall(page, paymentAdminCalls.refundOrder)
  await dialog.getByLabel('Reason').fill('The other one, too.')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(page.getByText('The refund could not be started.')).toBeVisible()
  await expect(dialog.getByLabel('Reason')).toHaveValue('The other one, too.')
})

test('an admin returns the pieces of a refunded order to the stock, once', async ({
  page,
  admin,
  customer,
}) => {
  const { sold } = await sell(admin, customer)
  await page.goto(`/dashboard/admin/orders/${sold._id}`)
  const main = page.getByRole('main')
  const refund = main.getByRole('button', { name: 'Refund', exact: true })
  await refund.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'All that is left' }).click()
  await dialog.getByLabel('Reason').fill('Both cups were cracked.')
  await dialog.getByRole('button', { name: 'Refund' }).click()
  await expect(main).toContainText('$25.00 refunded')
  await expect(refund).toHaveCount(0)
  const returning = main.getByRole('button', { name: 'Return to stock' })
  await returning.click()
  await expect(dialog.getByLabel('Reason')).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Return to stock' }).click()
  await expect(page.getByText('The pieces are for sale again')).toBeVisible()
  await expect(returning).toHaveCount(0)
  expect(await customer.call(orderCalls.getOrders, { query: {} })).toMatchObject([
    { refunded: 25, refundReason: 'Both cups were cracked.', stockReturned: true },
  ])
})

test('a list that cannot be loaded is only logged, and can be asked for again', async ({
  page,
  admin,
  customer,
}) => {
  const { sold } = await sell(admin, customer)
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'warning' && logged.push(message.text()))
  await breakCall(page, orderAdminCalls.getAllOrders)
  await page.goto(`/dashboard/admin/orders?q=${sold._id}`)
  await expect(page.getByText('This could not be loaded.')).toBeVisible()
  await expect(page.getByRole('main').getByRole('status')).toHaveCount(0)
  expect(logged.filter((line) => line.includes('418'))).toHaveLength(1)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(order(page)).toBeVisible()
})

test('another admin’s change is seen after the own', async ({ page, admin, customer }) => {
  const { cup, sold } = await sell(admin, customer)
  const later = await buy(customer, [cup])
  await page.goto(`/dashboard/admin/orders?q=${customer.email}`)
  const first = status(page)
  const second = page.getByLabel(`Status of order ${sold.number}`, { exact: true })
  await expect(second).toHaveValue('Not Process')
  await admin.call(orderAdminCalls.setOrderStatus, {
    params: { orderId: sold._id },
    body: { status: 'cancel' },
  })
  await first.selectOption('Shipped')
  await expect(second).toHaveValue('cancel')
  expect(await customer.call(orderCalls.getOrders, { query: {} })).toMatchObject([
    { _id: later._id, status: 'Shipped' },
    { _id: sold._id, status: 'cancel' },
  ])
})

test('the address holds what is looked for, and the back button goes back', async ({
  page,
  admin,
  customer,
}) => {
  await sell(admin, customer)
  const list = `/dashboard/admin/orders?q=${encodeURIComponent(customer.email)}`
  await page.goto(list)
  await expect(order(page)).toBeVisible()
  await page.getByLabel('Status', { exact: true }).selectOption('cancel')
  await expect(page).toHaveURL(`${list}&status=cancel`)
  await expect(none(page)).toBeVisible()
  await page.goBack()
  await expect(order(page)).toBeVisible()
  await expect(page.getByLabel('Status', { exact: true })).toHaveValue('')

  await page.getByLabel('From').fill('2020-01-01')
  await page.getByLabel('To').fill('2020-12-31')
  await expect(page).toHaveURL(`${list}&from=2020-01-01&to=2020-12-31`)
  await expect(none(page)).toBeVisible()
  await page.goto(`${list}&from=2020-01-01&status=Not+Process`)
  await expect(order(page)).toBeVisible()
  await expect(page.getByLabel('From')).toHaveValue('2020-01-01')

  await page.goto(`${list}&page=2`)
  await expect(page.getByText('There is no such page.')).toBeVisible()
  await page.getByRole('link', { name: 'Previous' }).click()
  await expect(page).toHaveURL(`${list}&page=1`)
  await expect(order(page)).toBeVisible()
  await page.getByRole('link', { name: 'Show all' }).click()
  await expect(page).toHaveURL('/dashboard/admin/orders')
  await expect(page.getByLabel(SEARCH)).toHaveValue('')
})
