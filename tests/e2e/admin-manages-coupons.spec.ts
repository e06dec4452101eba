import type { Page } from '@playwright/test'
import { couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { openCart } from '#tests/support/cart.ts'
import { expect, keepSession, test } from '#tests/support/journey.ts'
import { confirm } from '#tests/support/payment-dialog.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const newCode = () => `E2E-${crypto.randomUUID().slice(0, 8)}`

/** Limits the discount that is edited to a product. */
async function chooseProduct(page: Page, name: string) {
  await page.getByRole('combobox', { name: 'Only for these products' }).fill(name)
  await page.getByRole('option', { name }).click()
  await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
}

const summary = (page: Page) => page.getByRole('region', { name: 'Summary' })

test('limits a code to a product, changes, exports and deletes it', { tag: '@phone' }, async ({
  page,
  admin,
  isMobile,
}) => {
  const code = newCode()
  const product = await createProduct(admin, named('Clay cup'))
  await page.goto('/dashboard/admin/coupons')
  await page.getByRole('link', { name: 'Create discount' }).click()
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByLabel('What it gives').selectOption('An amount off')
  await page.getByLabel('Amount', { exact: true }).fill('5')
  await chooseProduct(page, product.name)
  const sentence = `$5.00 off ${product.name} for everybody with the code ${code}.`
  await expect(summary(page)).toContainText(sentence)
  // this shop sends no e-mail
  const warning = summary(page).getByRole('alert')
  await expect(warning).toBeHidden()
  await page.getByLabel('Uses by each customer').fill('1')
  await expect(warning).toContainText('nobody can confirm one')
  await page.getByLabel('Uses by each customer').fill('')
  await page.getByLabel('Customers', { exact: true }).selectOption('confirmed')
  await expect(warning.getByRole('link')).toHaveAttribute('href', '/dashboard/admin/settings/email')
  await page.getByLabel('Customers', { exact: true }).selectOption('everybody')
  await press(page, 'Create discount')
  const row = page.getByRole('row').filter({ hasText: code })
  await expect(row).toContainText(sentence)
  // on a phone, which has no header of the table, a number has its name
  const name = await row
    .locator('td', { hasText: /^0$/ })
    .evaluate((cell) => getComputedStyle(cell, '::before').content)
  expect(name).toBe(isMobile ? '"Uses"' : 'none')

  await row.getByRole('link', { name: code }).click()
  await expect(page.getByRole('button', { name: `Remove ${product.name}` })).toBeVisible()
  await page.getByLabel('In carts from').fill('20')
  await press(page, 'Save')
  await expect(page.getByText(`${code} is updated`)).toBeVisible()
  await expect(row).toContainText('in carts from $20.00')

  const download = page.waitForEvent('download')
  await press(page, 'Export with orders')
  expect((await download).suggestedFilename()).toMatch(/^coupons-.*\.csv$/)

  await row.getByRole('link', { name: code }).click()
  await press(page, 'Delete discount')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('The discount is deleted')).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('an admin makes an automatic discount, and a customer has it in the cart', {
  tag: '@journey',
}, async ({ page, context, address, admin, customer }) => {
  const title = named('Spring sale')
  const product = await createProduct(admin, named('Clay cup'))
  await page.goto('/dashboard/admin/create-coupon')
  await page.getByLabel('How customers get it').selectOption('It applies automatically')
  await page.getByLabel('Title', { exact: true }).fill(title)
  await page.getByLabel('Percentage').fill('10')
  await page.getByLabel('Customers', { exact: true }).selectOption('Chosen customers')
  const chosen = page.getByRole('combobox', { name: 'Chosen customers' })
  await chosen.fill(customer.user.email)
  await page.getByRole('option', { name: customer.user.email }).click()
  await chooseProduct(page, product.name)
  await expect(summary(page)).toContainText(
    `10 % off ${product.name} for ${customer.user.name} without a code.`,
  )
  await press(page, 'Create discount')
  await expect(page.getByText(`${title} is created`)).toBeVisible()

  await keepSession(context, address, customer)
  await openCart(page, [product])
  const cart = page.getByRole('complementary', { name: 'Summary' })
  const total = product.price * 0.9
  await expect(cart).toContainText(title)
  await expect(cart.getByText(`$${total.toFixed(2)}`, { exact: true })).toBeVisible()
  await cart.getByRole('button', { name: 'Make Payment' }).click()
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
  await expect(page.getByRole('article', { name: /^Order \d+$/ })).toContainText(title)
})

test('is asked before unsaved changes of a discount are lost', async ({ page, admin }) => {
  const body = { code: newCode(), percent: 5 }
  const { coupon } = await admin.call(couponAdminCalls.createCoupon, { body })
  await page.goto(`/dashboard/admin/coupon/${coupon._id}`)
  await page.getByLabel('Percentage').fill('7')
  await page.getByRole('link', { name: 'Discounts', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Percentage')).toHaveValue('7')
  await press(page, 'Discard')
  await expect(page.getByLabel('Percentage')).toHaveValue('5')
})
