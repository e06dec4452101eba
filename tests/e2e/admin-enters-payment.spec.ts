import { orderMoneyCalls } from '#app/payments/order-admin-contract.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, keepSession } from '#tests/support/journey.ts'
import { orderUnpaid } from '#tests/support/order-unpaid.ts'
import { test } from '#tests/support/own-shop.ts'

test('a customer reads how to pay an order, and an admin enters its money in two parts', {
  tag: '@phone',
}, async ({ page, context, address, admin, customer }) => {
  const order = await orderUnpaid({ admin, customer }, await createProduct(admin, named('Cup')))
  const card = page.getByRole('article', { name: `Order ${order.number}` })
  const money = page.getByRole('region', { name: 'Payment', exact: true })
  const invoice = card.getByRole('link', { name: /^Invoice/ })
  const asCustomer = async () => {
    await keepSession(context, address, customer)
    await page.goto('/dashboard/user/orders')
    await expect(card).toBeVisible()
  }
  const asAdmin = async () => {
    await keepSession(context, address, admin)
    await page.goto(`/dashboard/admin/orders/${order._id}`)
    await expect(money).toBeVisible()
  }

  await asCustomer()
  for (const text of [
    /\$12\.50 is to be paid by \w+ \d+, \d+\./,
    'Bank transfer',
    'IBAN DE02 1203',
  ])
    await expect(card).toContainText(text)
  await expect(card).toContainText(`Reference: Order ${order.number}`)
  await expect(card).not.toContainText('Success')
  await expect(invoice).toHaveCount(0)
  await expectAccessible(page, 'an unpaid order')

  await asAdmin()
  await expect(money).toContainText('is to be paid by')
  await expect(page.getByRole('main')).not.toContainText('IBAN')
  await expect(money.getByRole('button', { name: 'Refund' })).toHaveCount(0)
  const dialog = page.getByRole('dialog')
  const enter = async () => {
    await dialog.getByRole('button', { name: 'Enter payment' }).click()
    await expect(page.getByText('The payment is entered')).toBeVisible()
    await expect(dialog).toHaveCount(0)
  }
  await money.getByRole('button', { name: 'Enter payment' }).click()
  await expect(dialog.getByLabel('Amount')).toHaveValue('12.50')
  await expect(dialog.getByLabel('Date')).toHaveValue(new Date().toISOString().slice(0, 10))
  await expectAccessible(page, 'the dialog of a payment')
  await dialog.getByLabel('Amount').fill('13')
  await dialog.getByRole('button', { name: 'Enter payment' }).click()
  await expect(dialog).toContainText('Only $12.50 of this order is owed.')
  await dialog.getByLabel('Amount').fill('2.50')
  await enter()
  await expect(money).toContainText('Partly paid')
  await expect(money).toContainText('$10.00 is to be paid by')

  await page.goto('/dashboard/admin')
  await page.getByRole('link', { name: '$10.00' }).click()
  await expect(page.getByRole('row').nth(1)).toContainText('Unpaid order')
  await page.getByRole('link', { name: `Order ${order.number}` }).click()
  await money.getByRole('button', { name: 'Enter payment' }).click()
  await expect(dialog.getByLabel('Amount')).toHaveValue('10.00')
  await enter()
  await expect(money).toContainText('Success')
  await expect(money.getByRole('button', { name: 'Enter payment' })).toHaveCount(0)
  await money.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog).toContainText('send it to the customer yourself')
  await admin.call(orderMoneyCalls.cancelOrder, {
    params: { orderId: order._id },
    body: { returnStock: true, refund: true },
  })
  await page.reload()
  const next = page.getByRole('region', { name: 'What to do next' })
  await expect(next).toContainText('Send $12.50 back to the customer, if you have not yet')
  await page.goto('/dashboard/admin/payments')
  const paid = page.getByRole('row').filter({ hasText: `Order ${order.number}` })
  await expect(paid.first()).toContainText('was refunded.')
  await expect(paid.filter({ hasText: 'stands' })).toHaveCount(0)

  await asCustomer()
  await expect(card).not.toContainText('to be paid')
  await expect(invoice).toBeVisible()
})
