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
  const invoice = card.getByRole('link', { name: /^Invoice/ })
  const asCustomer = async () => {
    await keepSession(context, address, customer)
    await page.goto('/dashboard/user/orders')
    await expect(card).toBeVisible()
  }
  const asAdmin = async () => {
    await keepSession(context, address, admin)
    await page.goto(`/dashboard/admin/orders?q=%23${order.number}`)
    await expect(card).toBeVisible()
  }

  await asCustomer()
  for (const text of [/₹12\.50 is to be paid by \w+ \d+, \d+\./, 'Bank transfer', 'IBAN DE02 1203'])
    await expect(card).toContainText(text)
  await expect(card).toContainText(`Reference: Order ${order.number}`)
  await expect(card).not.toContainText('Success')
  await expect(invoice).toHaveCount(0)
  await expectAccessible(page, 'an unpaid order')

  await asAdmin()
  await expect(card).toContainText('is to be paid by')
  await expect(card).not.toContainText('IBAN')
  await expect(card.getByRole('button', { name: 'Refund' })).toHaveCount(0)
  const dialog = page.getByRole('dialog')
  const enter = async () => {
    await dialog.getByRole('button', { name: 'Enter payment' }).click()
    await expect(page.getByText('The payment is entered')).toBeVisible()
    await expect(dialog).toHaveCount(0)
  }
  await card.getByRole('button', { name: 'Enter payment' }).click()
  await expect(dialog.getByLabel('Amount')).toHaveValue('12.50')
  await expect(dialog.getByLabel('Date')).toHaveValue(new Date().toISOString().slice(0, 10))
  await expectAccessible(page, 'the dialog of a payment')
  await dialog.getByLabel('Amount').fill('13')
  await dialog.getByRole('button', { name: 'Enter payment' }).click()
  await expect(dialog).toContainText('Only ₹12.50 of this order is owed.')
  await dialog.getByLabel('Amount').fill('2.50')
  await enter()
  await expect(card).toContainText('Partly paid')
  await expect(card).toContainText('₹2.50 of ₹12.50 is paid.')
  await expect(card).toContainText('₹10.00 is to be paid by')

  await page.goto('/dashboard/admin')
  await page.getByRole('link', { name: '1 unpaid order' }).click()
  await expect(page.getByRole('article')).toContainText('Unpaid order')
  await page.getByRole('link', { name: `Order ${order.number}` }).click()
  await card.getByRole('button', { name: 'Enter payment' }).click()
  await expect(dialog.getByLabel('Amount')).toHaveValue('10.00')
  await enter()
  await expect(card).toContainText('Success')
  await expect(card.getByRole('button', { name: 'Enter payment' })).toHaveCount(0)
  await card.getByRole('button', { name: 'Refund' }).click()
  await expect(dialog).toContainText('send it to the customer yourself')

  await asCustomer()
  await expect(card).not.toContainText('to be paid')
  await expect(invoice).toBeVisible()
})
