/** The specification, sentence by sentence: the back office (docs/specification.md). */
import type { Page } from '@playwright/test'
import { orderCalls } from '#app/orders/contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { createCategory, createProduct, named, photoOf } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import { dialog, editPage, fill, press, row } from '#tests/support/product-pages.ts'
import { buy } from '#tests/support/purchase.ts'
import { says } from '#tests/support/specification.ts'

const tag = ['@journey', '@specification']

const HOME = '/dashboard/admin'
const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const toast = (page: Page, text: string) => page.getByRole('status').getByText(text).first()

test(says(
  "Side menu 'Admin Page': Create Category, Create Product, Products, Orders, Users.",
  "The main card shows the admin's name, email and contact phone.",
), { tag }, async ({ page, admin }) => {
  await page.goto(HOME)
  const card = page.getByRole('region', { name: admin.user.name })
  for (const text of [admin.user.name, admin.email, admin.user.phone])
    await expect(card).toContainText(text)
  const open = page.getByRole('button', { name: 'Menu' })
  if (await open.isVisible()) await open.click()
  const side = page.getByRole('navigation', { name: 'Admin Page' }).first()
  for (const name of ['Create Category', 'Create Product', 'Products', 'Orders', 'Users'])
    await expect(side.getByRole('link', { name, exact: true })).toBeVisible()
})

test(says(
  '/dashboard/admin/create-category | Manage Category',
  "Manage Category: a form with one text field (placeholder 'Enter new category') and Submit; a table with Name and Actions (Edit, Delete).",
  'Edit opens a modal with the same form, prefilled.',
  'Category edit modal: opened by Edit (prefills the name, remembers the selected category), closed on cancel or on successful update.',
  "'{name} is created'",
  "'{name} is updated'",
  "'category is deleted'",
), { tag }, async ({ page, admin: _ }) => {
  await page.goto(`${HOME}/create-category`)
  await expect(heading(page)).toHaveText('Manage Category')
  const name = named('Cups')
  const other = named('Mugs')
  await page.getByPlaceholder('Enter new category').first().fill(name)
  await page.getByRole('button', { name: 'Submit' }).first().click()
  await expect(toast(page, `${name} is created`)).toBeVisible()
  await page.goto(`${HOME}/create-category?q=${encodeURIComponent(name)}`)
  for (const column of ['Name', 'Actions'])
    await expect(page.getByRole('columnheader', { name: column })).toBeAttached()
  const found = (text: string) => page.getByRole('row').filter({ hasText: text })
  await found(name).getByRole('button', { name: 'Edit' }).click()
  await expect(dialog(page).getByRole('textbox')).toHaveValue(name)
  await press(page, 'Cancel')
  await expect(dialog(page)).toHaveCount(0)
  await found(name).getByRole('button', { name: 'Edit' }).click()
  await dialog(page).getByRole('textbox').fill(other)
  await dialog(page).getByRole('button', { name: 'Submit' }).click()
  await expect(toast(page, `${other} is updated`)).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await page.goto(`${HOME}/create-category?q=${encodeURIComponent(other)}`)
  await found(other).getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'category is deleted')).toBeVisible()
})

test(says(
  '/dashboard/admin/create-product | Create product',
  'Create Product: a searchable category select; photo upload (images only, with preview); name; description; price (number); quantity (number); shipping select (No=0, Yes=1); a CREATE PRODUCT button.',
  'Shipping: 0 (No), 1 (Yes).',
  "'Product Created Successfully'",
), { tag }, async ({ page, admin, call }) => {
  const category = await createCategory(admin, named('Cups'))
  const name = named('Clay cup')
  await page.goto(`${HOME}/create-product`)
  await expect(heading(page)).toHaveText(/create product/i)
  await page.getByRole('combobox', { name: 'Category', exact: true }).fill(category.name.slice(2))
  await page.getByRole('option', { name: category.name, exact: true }).click()
  await expect(page.getByLabel('Photo')).toHaveAttribute('accept', /image/)
  await page.getByLabel('Photo').setInputFiles(await photoOf('#b4441f'))
  await expect(page.getByRole('img', { name: 'cup.jpg' })).toBeVisible()
  await fill(page, { Name: name, Description: 'Holds tea.', Price: '12.5', Quantity: '7' })
  const shipping = page.getByLabel('Shipping')
  await expect(shipping.getByRole('option')).toHaveText(['No', 'Yes'])
  await shipping.selectOption({ label: 'No' })
  await expect(shipping).toHaveValue('0')
  await shipping.selectOption({ label: 'Yes' })
  await expect(shipping).toHaveValue('1')
  await press(page, 'CREATE PRODUCT')
  await expect(toast(page, 'Product Created Successfully')).toBeVisible()
  const { products } = await call(productCalls.filterProducts, {
    body: { checked: [category._id] },
  })
  expect(products).toMatchObject([{ name, price: 12.5, quantity: 7, shipping: 1 }])
})

test(says(
  '/dashboard/admin/products | Grid of all products, each linking to its edit page',
  'Products grid: photo, name, description cut at 80 characters plus an ellipsis.',
), { tag }, async ({ page, admin }) => {
  const text =
    'Holds a quarter of a litre of tea, and keeps it warm for more than one hour. It is green.'
  const { name, slug } = await createProduct(admin, named('Kettle'), text)
  await page.goto(`${HOME}/products?q=${encodeURIComponent(name)}`)
  await expect(row(page, name).locator('img').first()).toBeVisible()
  await expect(row(page, name)).toContainText(`${text.slice(0, 80)}...`)
  await row(page, name).getByRole('link', { name }).first().click()
  await expect(page).toHaveURL(editPage(slug))
})

test(says(
  '/dashboard/admin/product/{slug} | Update or delete one product',
  'Update/delete product: the product form, plus a delete action.',
  'Delete asks for a non-empty text entry in a prompt, then a confirmation.',
  "'Product Updated Successfully'",
  "'Product DEleted Succfully'",
), { tag }, async ({ page, admin }) => {
  const name = named('Clay cup')
  const { slug } = await createProduct(admin, name)
  await page.goto(editPage(slug))
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name)
  await fill(page, { Price: '0.99' })
  await press(page, 'UPDATE PRODUCT')
  await expect(toast(page, 'Product Updated Successfully')).toBeVisible()
  await page.goto(editPage(slug))
  await press(page, 'DELETE PRODUCT')
  await expect(dialog(page).getByRole('button', { name: 'OK' })).toBeDisabled()
  await dialog(page).getByRole('textbox').fill('yes')
  await press(page, 'OK')
  await press(page, 'Delete product')
  await expect(toast(page, 'Product DEleted Succfully')).toBeVisible()
})

test(says("/dashboard/admin/users | Placeholder page titled 'User page'"), { tag }, async ({
  page,
  admin: _,
}) => {
  await page.goto(`${HOME}/users`)
  await expect(heading(page)).toHaveText('User page')
})

test(says(
  '/dashboard/admin/orders | All orders with status dropdown',
  "Admin orders: the same list as the user's, with a status dropdown per order.",
  'Order status values: Not Process, Processing, Shipped, deliverd (spelt so), cancel.',
  'An admin can pick any value; no restriction on transitions is shown.',
  'The list reloads after a change.',
), { tag }, async ({ page, admin, customer }) => {
  const text = 'Holds a quarter of a litre of tea.'
  const cup = await createProduct(admin, named('Cup'), text)
  const { number } = await buy(customer, [cup, cup])
  await page.goto(`${HOME}/orders?q=${encodeURIComponent(customer.email)}`)
  const order = page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: `Order ${number}`, exact: true }) })
  for (const shown of [customer.user.name, 'Success', cup.name, 'just now'])
    await expect(order).toContainText(shown)
  await order.getByRole('button', { name: cup.name }).click()
  const line = page.getByRole('listitem').filter({ hasText: `${text.slice(0, 30)}...` })
  await expect(line.locator('img')).toBeVisible()
  await expect(line).toContainText('$12.50')
  const status = page.getByLabel(`Status of order ${number}`)
  const values = ['Not Process', 'Processing', 'Shipped', 'deliverd', 'cancel']
  await expect(status.getByRole('option')).toHaveText(values)
  for (const value of ['Shipped', 'Not Process', 'deliverd', 'Processing']) {
    const listed = page.waitForResponse('**/auth/all-orders?*')
    await status.selectOption(value)
    await listed
    await expect(status).toHaveValue(value)
    expect(await customer.call(orderCalls.getOrders, { query: {} })).toMatchObject([
      { status: value },
    ])
  }
  await status.selectOption('cancel')
  await dialog(page)
    .getByRole('button', { name: /cancel/i })
    .last()
    .click()
  await expect
    .poll(() => customer.call(orderCalls.getOrders, { query: {} }))
    .toMatchObject([{ status: 'cancel' }])
})
