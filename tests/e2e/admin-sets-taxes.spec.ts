import type { Page } from '@playwright/test'
import { accountCalls } from '#app/accounts/contract.ts'
import { orderCalls } from '#app/orders/contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { shippingAdminCalls } from '#app/shipping/admin-contract.ts'
import { taxAdminCalls } from '#app/taxes/admin-contract.ts'
import { createCategory, createProduct, named } from '#tests/support/back-office.ts'
import { openCart } from '#tests/support/cart.ts'
import { expect, keepSession } from '#tests/support/journey.ts'
import { test } from '#tests/support/own-shop.ts'
import { confirm } from '#tests/support/payment-dialog.ts'
import { addPlace } from '#tests/support/places.ts'
import { ADDRESS } from '#tests/support/shipping.ts'
import { TAX_SETTINGS } from '#tests/support/taxes.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('an admin makes a rate, and a customer sees the tax, pays it, and prints the invoice', {
  tag: ['@journey', '@phone'],
}, async ({ page, context, address, admin, customer }) => {
  const className = named('Spirits')
  await page.goto('/dashboard/admin/taxes')
  await press(page, 'Add a class')
  await dialog(page).getByLabel('Name').fill(className)
  await press(page, 'Save class')
  await expect(page.getByText(`${className} is created`)).toBeVisible()

  await press(page, 'Change')
  await dialog(page).getByLabel('Prices').selectOption('Exclude tax, which is added in the cart')
  await dialog(page).getByLabel('Country').selectOption('India')
  await dialog(page).getByLabel("Seller's address").fill('1 Market Lane, Pune')
  await press(page, 'Save settings')
  await expect(page.getByText('The tax settings are saved')).toBeVisible()

  const enterRate = async (rate: string) => {
    await press(page, 'Add a rate')
    await dialog(page).getByLabel('Name').fill('GST')
    await dialog(page).getByLabel('Rate in percent').fill(rate)
    await dialog(page).getByLabel('Country').selectOption('India')
    await dialog(page).getByLabel('Tax class').selectOption(className)
    await press(page, 'Save rate')
  }
  await enterRate('17.5')
  await expect(page.getByText('GST is created')).toBeVisible()
  await enterRate('5')
  const firstDay = dialog(page).getByLabel('First day')
  await expect(firstDay).toHaveAccessibleDescription(
    'GST 17.5 % already applies to this class and place without a time limit.',
  )
  await expect(dialog(page).getByLabel('Rate in percent')).toHaveValue('5')
  await press(page, 'Cancel')

  await press(page, 'Add a rate')
  await dialog(page).getByLabel('Name').fill('VAT')
  await dialog(page).getByLabel('Rate in percent').fill('13')
  await dialog(page).getByLabel('Country').selectOption('Nepal')
  await press(page, 'Save rate')
  await expect(
    page.getByText(`${className} has no rate in Nepal: its products are not taxed there.`),
  ).toBeVisible()

  const { _id: category } = await createCategory(admin, named('Bottles'))
  const classes = await admin.call(taxAdminCalls.getTaxClasses)
  const taxClass = classes.find(({ name }) => name === className)?._id ?? ''
  const facts = { name: named('Rum'), description: 'Old.', price: 10, quantity: 10, shipping: 0 }
  const { products: product } = await admin.call(productAdminCalls.createProduct, {
    body: { ...facts, category, taxClass },
  })
  await page.goto(`/dashboard/admin/product/${product.slug}`)
  await expect(page.getByLabel('Tax class')).toHaveValue(taxClass)

  const delivery = { ...ADDRESS, name: customer.user.name }
  const { updatedUser } = await customer.call(accountCalls.updateProfile, { body: { delivery } })
  await keepSession(context, address, { ...customer, user: updatedUser })
  await openCart(page, [product, product])
  const summary = page.getByRole('complementary', { name: 'Summary' })
  await expect(summary).toContainText('GST 17.5 %')
  await expect(summary).toContainText('$3.50')
  await expect(summary).toContainText('$23.50')
  await press(page, 'Make Payment')
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
  const order = page.getByRole('article', { name: /^Order \d+$/ })
  await expect(order).toContainText('GST 17.5 %')
  await expect(order).toContainText('$23.50')

  await order.getByRole('link', { name: /^Invoice of order/ }).click()
  const invoice = page.getByRole('article')
  await expect(invoice.getByRole('heading', { name: /^Test order \d+$/ })).toBeVisible()
  await expect(invoice.getByRole('region', { name: 'Seller' })).toContainText('1 Market Lane, Pune')
  await expect(invoice.getByRole('region', { name: 'Buyer' })).toContainText(customer.user.name)
  const line = invoice.getByRole('row').filter({ hasText: product.name })
  await expect(line).toContainText('17.5 %')
  await expect(line).toContainText('$3.50')
  await expect(invoice).toContainText('GST 17.5 % on $20.00')
  await expect(invoice).toContainText('$23.50')

  await page.emulateMedia({ media: 'print' })
  await expect(invoice.getByRole('heading', { name: /^Test order/ })).toBeVisible()
  for (const menu of ['Main', 'User area'])
    await expect(page.getByRole('navigation', { name: menu })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
})

test('an admin adds the rates of the EU, and a zone of its countries, in one go', async ({
  page,
  admin,
}) => {
  await page.goto('/dashboard/admin/taxes')
  await press(page, 'Add EU rates')
  await expect(page.getByRole('button', { name: 'Add rates' })).not.toHaveClass(/btn-error/)
  await press(page, 'Add rates')
  await expect(page.getByText('27 rates are added')).toBeVisible()
  const { rates } = await admin.call(taxAdminCalls.getTaxes)
  expect(rates.filter(({ country }) => country === 'DE')).toMatchObject([{ rate: 19 }])
  await expect(page.getByRole('button', { name: 'Add EU rates' })).toHaveCount(0)
  await press(page, 'Choose a place for them')
  await dialog(page).getByLabel('Country').selectOption('Germany')
  await press(page, 'Save settings')
  await expect(page.getByRole('button', { name: 'Choose a place for them' })).toHaveCount(0)

  await page.goto('/dashboard/admin/shipping/new')
  await page.getByLabel('Name').first().fill('Europe')
  await addPlace(page, 'European Union')
  await addPlace(page, 'Norway')
  const rate = page.getByRole('group', { name: 'Rate 1' })
  await rate.getByLabel('Name').fill('Collect')
  await rate.getByLabel('Kind').selectOption('Pick-up')
  await press(page, 'Save zone')
  await press(page, 'Deliver only there')
  await expect(page.getByText('Europe is created')).toBeVisible()
  const { zones } = await admin.call(shippingAdminCalls.getZones)
  expect(zones.map(({ places }) => places.length)).toEqual([28])
})

test('a customer pays the tax of the place that the cart shows, also for goods that are not shipped', async ({
  page,
  context,
  address,
  admin,
  customer,
}) => {
  await admin.call(taxAdminCalls.saveTaxSettings, { body: TAX_SETTINGS })
  for (const [country, rate] of [
    ['IN', 18],
    ['DE', 19],
  ] as const)
    await admin.call(taxAdminCalls.createTaxRate, { body: { name: 'VAT', country, rate } })
  const product = await createProduct(admin, named('Song'))
  const delivery = { ...ADDRESS, country: 'DE', region: '', city: 'Berlin', postalCode: '10115' }
  const { updatedUser } = await customer.call(accountCalls.updateProfile, { body: { delivery } })
  await keepSession(context, address, { ...customer, user: updatedUser })
  await openCart(page, [product])
  const summary = page.getByRole('complementary', { name: 'Summary' })
  await expect(summary).toContainText('VAT 19 %')
  await press(page, 'Make Payment')
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
  const [order] = await customer.call(orderCalls.getOrders, { query: {} })
  expect(order?.adjustments).toMatchObject([{ kind: 'tax', label: 'VAT 19 %' }])
  expect(order?.delivery?.address).toBe('7 Temple Road, 10115 Berlin, Germany')
})
