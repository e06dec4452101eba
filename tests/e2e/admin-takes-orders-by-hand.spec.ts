/** Orders that come by phone or at a fair. */
import type { Page } from '@playwright/test'
import { orderCalls } from '#app/orders/contract.ts'
import { orderMoneyCalls } from '#app/payments/order-admin-contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { variantCalls } from '#app/products/variant-contract.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { breakCall, createProduct, named } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import { tabTo } from '#tests/support/keyboard.ts'
import { option } from '#tests/support/variant-calls.ts'

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
  await page.getByLabel('Bill to another address').check()
  await page.getByLabel('Name or company').fill('Rivera & Sons')
  await page.getByLabel('Street and number').fill('Rosenweg 5')
  await page.getByLabel('City').fill('Wien')
  await page.getByLabel('Country').selectOption('Austria')
  await expect(page.getByRole('status').filter({ hasText: 'Total' })).toContainText('25.00')
  await page.getByLabel('Payment', { exact: true }).selectOption('Not paid yet: bank transfer')
  await expectAccessible(page, 'an order by hand')
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByText(/^Order #\d+ is placed$/)).toBeVisible()
  expect(await customer.call(orderCalls.getOrders, { query: {} })).toMatchObject([
    {
      total: 25,
      unpaid: { owed: 25 },
      status: 'Not Process',
      billing: { name: 'Rivera & Sons', address: 'Rosenweg 5, Wien, Austria' },
    },
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

test('an admin takes an order of variants, found by name and by SKU, by keyboard', {
  tag: '@phone',
}, async ({ page, admin, customer }) => {
  const shirt = await createProduct(admin, named('Oxford Shirt'))
  const sizes = option(1, 'Size', 'L', 'XL')
  const id = crypto.randomUUID()
  const sku = named('OX')
  const added = {
    _id: id,
    values: [sizes.values[1]?._id ?? null, null, null],
    price: 14,
    compareAt: null,
    quantity: 3,
    weightGrams: null,
    sku,
    barcode: null,
  }
  await admin.call(variantCalls.saveVariants, {
    params: { id: shirt._id },
    body: { options: { from: [], to: [sizes] }, added: [added] },
  })
  const [large, extraLarge] = [`${shirt.name} – L`, `${shirt.name} – XL`]
  await page.goto(PAGE)
  await tabTo(page.getByRole('combobox', { name: 'Add a product' }))
  await page.keyboard.type(shirt.name)
  await expect(page.getByRole('option', { name: shirt.name })).toBeVisible()
  await page.keyboard.press('Enter')
  const variant = page.getByRole('combobox', {
    name: `Variant of ${shirt.name}`,
    exact: true,
  })
  await expect(variant).toBeVisible()
  await expectAccessible(page, 'the choice of a variant')
  await tabTo(variant)
  await page.keyboard.type('X')
  await expect(page.getByRole('option')).toHaveText([/^XL.*14\.00 · 3 in stock$/])
  await page.keyboard.press('Enter')
  await expect(page.getByLabel(`Quantity of ${extraLarge}`)).toHaveValue('1')
  await expect(variant).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Add a product' }).fill(sku.toLowerCase())
  await page.getByRole('option', { name: extraLarge }).click()
  await expect(page.getByLabel(`Quantity of ${extraLarge}`)).toHaveValue('2')
  await choose(page, 'Add a product', shirt.name)
  await variant.fill('L')
  await page.getByRole('option', { name: /^L / }).click()
  await expect(page.getByLabel(`Quantity of ${large}`)).toHaveValue('1')
  await expect(page.getByRole('status').filter({ hasText: 'Total' })).toContainText('40.50')
  await choose(page, 'Customer', customer.email)
  await page.getByLabel('Payment', { exact: true }).selectOption('Paid in cash')
  await page.getByRole('button', { name: 'Place order' }).click()
  await expect(page.getByText(/^Order #\d+ is placed$/)).toBeVisible()
  const { variants } = await admin.call(variantCalls.getVariants, { params: { id: shirt._id } })
  expect(variants.map(({ quantity }) => quantity)).toEqual([9, 1])
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
