import type { Page } from '@playwright/test'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { openCart } from '#tests/support/cart.ts'
import { expect, keepSession, type Visitor } from '#tests/support/journey.ts'
import { test } from '#tests/support/own-shop.ts'
import { confirm } from '#tests/support/payment-dialog.ts'
import { addPlace } from '#tests/support/places.ts'

/** A product for 12.50 that has to be shipped, as the cart stores it. */
async function createShipped(admin: Visitor) {
  const { _id: id, slug } = await createProduct(admin, named('Lamp'))
  await admin.call(productAdminCalls.updateProduct, {
    params: { id },
    body: { shipping: 1, weightGrams: 400 },
  })
  return (await admin.call(productCalls.getProduct, { params: { slug } })).product
}

const summary = (page: Page) => page.getByRole('complementary', { name: 'Summary' })

async function addRate(page: Page, number: number, name: string) {
  const rate = page.getByRole('group', { name: `Rate ${number}` })
  await rate.getByLabel('Name').fill(name)
  return rate
}

/** Makes a zone with a flat rate and one by weight, after a mistake. */
async function makeZone(page: Page, name: string) {
  await page.goto('/dashboard/admin')
  await page.getByRole('navigation', { name: 'Admin Page' }).getByText('Shipping').click()
  await expect(page.getByText('There are no shipping zones yet')).toBeVisible()
  await page.getByRole('link', { name: 'New zone' }).click()
  await page.getByLabel('Name').first().fill(name)
  await addPlace(page, 'India')
  const standard = await addRate(page, 1, 'Standard')
  await standard.getByRole('textbox', { name: 'Price' }).fill('40')
  await standard.getByLabel('Working days, at least').fill('2')
  await page.getByRole('button', { name: 'Add rate' }).click()
  const express = await addRate(page, 2, 'Express')
  const price = express.getByRole('textbox', { name: 'Price' })
  await express.getByLabel('Kind').selectOption('By weight')
  await express.getByLabel('Up to (grams)').fill('500')
  await price.fill('90')
  // what was typed for a kind is still there when it is chosen again
  await express.getByLabel('Kind').selectOption('One price')
  await price.fill('75')
  await express.getByLabel('Kind').selectOption('By amount')
  await express.getByRole('textbox', { name: 'Up to (amount)' }).fill('7')
  await express.getByLabel('Kind').selectOption('By weight')
  await expect(price).toHaveValue('90')
  await express.getByRole('button', { name: 'Add tier' }).click()
  await express.getByLabel('Up to (grams)').last().fill('500')
  await price.last().fill('120')
  await page.getByRole('button', { name: 'Add rate' }).click()
  const pickup = await addRate(page, 3, 'Pick-up')
  await expect(pickup.getByLabel('Free from')).toBeVisible()
  await pickup.getByLabel('Kind').selectOption('Pick-up')
  await expect(pickup.getByLabel('Free from')).toBeHidden()
  await page.getByRole('button', { name: 'Save zone' }).click()
  const days = standard.getByLabel('Working days, at most')
  await expect(days).toBeFocused()
  await expect(days).toHaveAccessibleDescription(/or nothing in both fields/)
  await days.fill('4')
  const wrong = express.getByLabel('Up to (grams)').last()
  await expect(wrong).toHaveAccessibleDescription(/tiers do not overlap/)
  await wrong.fill('2000')
  const save = page.getByRole('button', { name: 'Save zone' })
  await save.click()
  // so far the shop delivers everywhere
  const narrower = page.getByRole('dialog', { name: 'Deliver only to the places of your zones?' })
  await expect(narrower).toContainText('will no longer be able to order')
  await narrower.getByRole('button', { name: 'Cancel' }).click()
  await expect(narrower).toHaveCount(0)
  await expect(page.getByText(`${name} is created`)).toHaveCount(0)
  await save.click()
  await narrower.getByRole('button', { name: 'Deliver only there' }).click()
  await expect(page.getByText(`${name} is created`)).toBeVisible()
  await expect(page.getByRole('region', { name })).toContainText('Standard')
  await expect(page.getByRole('region', { name })).toContainText('up to 500 g $90.00')
  await expect(page.getByRole('region', { name })).toContainText('Pick-up (pick-up)$0.00')
}

test('an admin makes a zone; a customer enters an address, chooses a rate, and pays it', {
  tag: ['@journey'],
}, async ({ page, context, address, admin, customer }) => {
  const product = await createShipped(admin)
  await makeZone(page, named('India'))

  const { revision, settings } = await admin.call(settingsAdminCalls.getAllSettings)
  const body = { revision, settings: { ...settings, country: 'IN' } }
  await admin.call(settingsAdminCalls.saveSettings, { body })
  await page.goto(`/product/${product.slug}`)
  const delivery = page.getByText('Delivered to India from $40.00, 2–4 working days')
  await expect(delivery).toBeVisible()

  await keepSession(context, address, customer)
  await openCart(page, [product])
  const cart = summary(page)
  await expect(cart.getByText('Please enter your delivery address with its country.')).toBeVisible()
  await expect(cart.getByLabel('Recipient', { exact: true })).toHaveValue('Asha Rao')
  await cart.getByLabel('Street and number').fill('7 Temple Road')
  await cart.getByLabel('Postal code').fill('570001')
  await cart.getByLabel('City').fill('Mysuru')
  // the shop delivers to one country only, which is chosen already
  const country = cart.getByLabel('Country')
  await expect(country.getByRole('option')).toHaveText(['Choose a country', 'India'])
  await expect(country).toHaveValue('IN')
  await cart.getByLabel('State or region').selectOption('Karnataka')
  await cart.getByRole('button', { name: 'Deliver to this address' }).click()
  const text = '7 Temple Road, Mysuru, Karnataka 570001, India'
  await expect(cart.getByText(text)).toBeVisible()
  await expect(cart.getByRole('radio', { name: /Standard/ })).toBeChecked()
  await expect(cart.getByText('$52.50')).toBeVisible()
  await cart.getByRole('radio', { name: /Express/ }).check()
  await expect(cart.getByText('$102.50')).toBeVisible()
  await cart.getByRole('button', { name: 'Make Payment' }).click()
  await confirm(page)

  await expect(page).toHaveURL('/dashboard/user/orders')
  const order = page.getByRole('article', { name: /^Order \d+$/ })
  await expect(order).toContainText(`Delivery to Asha Rao, ${text}`)
  await expect(order).toContainText('$102.50')

  await page.goto('/dashboard/user/profile')
  await expect(page.getByText(text)).toBeVisible()
  await page.getByRole('button', { name: 'Delete address' }).click()
  await expect(page.getByRole('button', { name: 'Add address' })).toBeVisible()

  // nothing of this cart has to be shipped
  const quoted = page.waitForResponse('**/checkout/quote')
  await openCart(page, [await createProduct(admin, named('File'))])
  await quoted
  await expect(cart.getByText('1 Market Lane, Pune')).toBeVisible()
  await expect(cart.getByText('Deliver to')).toBeHidden()
  await expect(cart.getByRole('button', { name: 'Make Payment' })).toBeEnabled()
})
