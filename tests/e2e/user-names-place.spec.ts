/** A shop whose tax differs by state: the cart asks for the place before it offers to pay. */
import type { Page } from '@playwright/test'
import { orderCalls } from '#app/orders/contract.ts'
import { taxAdminCalls } from '#app/taxes/admin-contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { openCart, store } from '#tests/support/cart.ts'
import { expect, keepSession, type Visitor } from '#tests/support/journey.ts'
import { test } from '#tests/support/own-shop.ts'
import { confirm } from '#tests/support/payment-dialog.ts'
import { TAX_SETTINGS } from '#tests/support/taxes.ts'

/** Adds sales tax to the prices in two states. */
async function taxStates(admin: Visitor) {
  await admin.call(taxAdminCalls.saveTaxSettings, { body: { ...TAX_SETTINGS, country: null } })
  for (const [region, rate] of [
    ['CA', 9.5],
    ['TX', 8.25],
  ] as const) {
    const body = { name: 'Sales tax', country: 'US', region, rate }
    await admin.call(taxAdminCalls.createTaxRate, { body })
  }
}

const summary = (page: Page) => page.getByRole('complementary', { name: 'Summary' })
const ASKED = 'Please enter your delivery address with its country.'

test('a guest sees the way to log in before the address; a buyer pays the tax of their state', {
  tag: ['@journey', '@phone'],
}, async ({ page, context, address, admin, customer }) => {
  await taxStates(admin)
  const product = await createProduct(admin, named('Song'))
  await store(page, 'auth', null)
  await openCart(page, [product])
  const cart = summary(page)
  await expect(cart.getByText('Estimated total')).toBeVisible()
  const logIn = await cart.getByRole('button', { name: 'Please Login to Checkout' }).boundingBox()
  const street = await cart.getByLabel('Street and number').boundingBox()
  expect(logIn?.y).toBeLessThan(street?.y ?? 0)

  await keepSession(context, address, customer)
  await openCart(page, [product])
  await expect(cart.getByText(ASKED)).toBeVisible()
  await expect(cart.getByText('Estimated total')).toBeVisible()
  await expect(cart.getByRole('button', { name: 'Make Payment' })).toBeHidden()
  await cart.getByLabel('Street and number').fill('1 Main Street')
  await cart.getByLabel('City').fill('Los Angeles')
  await cart.getByLabel('Postal code').fill('90012')
  await cart.getByLabel('Country').selectOption('United States')
  await cart.getByRole('button', { name: 'Deliver to this address' }).click()
  const region = cart.getByLabel('State or region')
  await expect(region).toBeFocused()
  await region.selectOption('California')
  await cart.getByRole('button', { name: 'Deliver to this address' }).click()
  await expect(cart.getByText('1 Main Street, Los Angeles, California 90012')).toBeVisible()
  await expect(cart.getByText('Sales tax 9.5 %')).toBeVisible()
  await expect(cart.getByText('$13.69')).toBeVisible()
  await expect(cart.getByText('Estimated total')).toBeHidden()
  await cart.getByRole('button', { name: 'Make Payment' }).click()
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
  const [order] = await customer.call(orderCalls.getOrders, { query: {} })
  expect(order?.adjustments).toMatchObject([{ kind: 'tax', label: 'Sales tax 9.5 %' }])
})
