/** Orders that come by phone or at a fair. */
import type { Page } from '@playwright/test'
import { orderCalls } from '#app/orders/contract.ts'
import { orderMoneyCalls } from '#app/payments/order-admin-contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { breakCall, createProduct, named } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import { tabTo } from '#tests/support/keyboard.ts'

const PAGE = '/dashboard/admin/create-order'

const choose = async (page: Page, label: string, text: string) => {
  await page.getByRole('combobox', { name: label }).fill(text)
  await page.getByRole('option', { name: text }).first().click()
}

test('an admin takes an order by phone, to be paid by transfer', {
  tag: ['@journey', '@phone'],
}, async ({ page, admin, customer }) => {
  const cup = await createProduct(admin, named('Cup'))
  await page.goto(PAGE)
  await choose(page, 'Add a product', cup.name)
  await page.getByLabel(`Quantity of ${cup.name}`).fill('2')
  await page.getByRole('combobox', { name: 'Customer' }).fill(customer.email)
  await page.getByRole('option', { name: customer.email }).click()
  await page.getByLabel(/^Deliver to another address/).check()
  await expect(page.getByLabel('Recipient', { exact: true })).toHaveValue(customer.user.name)
  await expect(page.getByLabel("Recipient's phone")).toHaveValue(customer.user.phone)
  await page.getByLabel(/^Deliver to another address/).uncheck()
  await expect(page.getByRole('status').filter({ hasText: 'Total' })).toContainText('25.00')
  await page.getByLabel('Payment', { exact: true }).selectOption('Not paid yet: bank transfer')
  await expectAccessible(page, 'an order by hand')
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByText(/^Order #\d+ is placed$/)).toBeVisible()
  expect(await customer.call(orderCalls.getOrders, { query: {} })).toMatchObject([
    { total: 25, unpaid: { owed: 25 }, status: 'Not Process' },
  ])
})

test('an admin sells to a new customer at a fair, by keyboard', async ({ page, admin }) => {
  const cup = await createProduct(admin, named('Cup'))
  await page.goto(PAGE)
  await tabTo(page.getByRole('combobox', { name: 'Add a product' }))
  await page.keyboard.type(cup.name)
  await expect(page.getByRole('option', { name: cup.name })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel(`Quantity of ${cup.name}`)).toHaveValue('1')
  await tabTo(page.getByLabel('A new customer'))
  await page.keyboard.press('Space')
  await tabTo(page.getByLabel('Name'))
  await page.keyboard.type('Meera Rao')
  await tabTo(page.getByLabel(/^Handed over already/))
  await page.keyboard.press('Space')
  await tabTo(page.getByLabel('Payment', { exact: true }))
  await page.keyboard.type('Paid in cash')
  await expect(page.getByRole('status').filter({ hasText: 'Total' })).toContainText('12.50')
  await tabTo(page.getByRole('button', { name: 'Place order' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^Order #\d+ is placed$/)).toBeVisible()
})

test('too little stock is named, and what was entered stays', async ({ page, admin, customer }) => {
  const cup = await createProduct(admin, named('Cup'))
  await page.goto(PAGE)
  await choose(page, 'Add a product', cup.name)
  await page.getByLabel(`Quantity of ${cup.name}`).fill('11')
  await page.getByRole('combobox', { name: 'Customer' }).fill(customer.email)
  await page.getByRole('option', { name: customer.email }).click()
  await page.getByLabel('Payment', { exact: true }).selectOption('Paid in cash')
  await expect(page.getByRole('status').filter({ hasText: 'Total' })).toContainText('137.50')
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByText(`Not enough of ${cup.name} in stock: only 10 left.`)).toBeVisible()
  await page.getByLabel(`Quantity of ${cup.name}`).fill('1')
  await expect(page.getByRole('status').filter({ hasText: 'Total' })).toContainText('12.50')
  await breakCall(page, orderMoneyCalls.createOrder)
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByText('The order could not be placed.')).toBeVisible()
  await expect(page.getByLabel('Payment', { exact: true })).toHaveValue('cash')
})

test('a price that was changed meanwhile is in the total for the next attempt', async ({
  page,
  admin,
  customer,
}) => {
  const cup = await createProduct(admin, named('Cup'))
  await page.goto(PAGE)
  await choose(page, 'Add a product', cup.name)
  await page.getByRole('combobox', { name: 'Customer' }).fill(customer.email)
  await page.getByRole('option', { name: customer.email }).click()
  await page.getByLabel('Payment', { exact: true }).selectOption('Paid in cash')
  const total = page.getByRole('status').filter({ hasText: 'Total' })
  await expect(total).toContainText('12.50')
  const body = { price: 20 }
  await admin.call(productAdminCalls.updateProduct, { params: { id: cup._id }, body })
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(total).toContainText('20.00')
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByText(/^Order #\d+ is placed$/)).toBeVisible()
})
