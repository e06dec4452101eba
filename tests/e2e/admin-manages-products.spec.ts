import type { Page } from '@playwright/test'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { CATEGORY_GONE, productAdminCalls } from '#app/products/admin-contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { createCategory, createProduct, named, photoOf } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import {
  dialog,
  editPage,
  fill,
  LIST,
  listed,
  press,
  row,
  rows,
} from '#tests/support/product-pages.ts'
import { buy } from '#tests/support/purchase.ts'

const CREATE = '/dashboard/admin/create-product'

async function chooseCategory(page: Page, name: string) {
  await page.getByRole('combobox', { name: 'Category', exact: true }).fill(name.slice(2))
  await page.getByRole('option', { name, exact: true }).click()
}

test('creates a product with a photo, which a guest sees at once', {
  tag: ['@journey', '@phone'],
}, async ({ page, context, admin, request }) => {
  const category = await createCategory(admin, named('Cups'))
  const name = named('Clay cup')
  await page.goto(CREATE)
  await chooseCategory(page, category.name)
  await page.getByLabel('Photo').setInputFiles(await photoOf('#b4441f'))
  await expect(page.getByRole('img', { name: 'cup.jpg' })).toBeVisible()
  await fill(page, { Name: name, Description: 'Holds tea.', Price: '12.5', Quantity: '7' })
  await expect(page.getByLabel('Shipping')).toHaveValue('1')
  await expect(page.getByLabel('Shipping')).toHaveAccessibleDescription(/has to be delivered/)
  await press(page, 'CREATE PRODUCT')
  await expect(page.getByText('Product Created Successfully')).toBeVisible()
  await expect(page).toHaveURL(LIST)
  await expect(row(page, name)).toBeVisible()

  expect(await (await request.get('/')).text()).toContain(name)
  await row(page, name).getByRole('link').click()
  await expect(page.getByRole('combobox', { name: 'Category', exact: true })).toHaveValue(
    category.name,
  )
  await expect(page.getByLabel('Price')).toHaveValue('12.50')
  await expect(page.getByLabel('Quantity')).toHaveValue('7')
  await expect(page.getByLabel('Shipping')).toHaveValue('1')
  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'View in the shop' }).click()
  const shop = await opened
  await expect(shop.getByRole('heading', { level: 1, name })).toBeVisible()
  const photo = shop.getByRole('img', { name })
  await expect.poll(() => photo.evaluate((img: HTMLImageElement) => img.naturalWidth)).not.toBe(0)
  await expect(photo).toHaveAttribute('src', /&v=/)
})

test('finds and changes a product, and returns to the place it was found at', {
  tag: '@journey',
}, async ({ page, admin, call }) => {
  const name = named('Clay cup')
  const other = named('Clay mug')
  const { slug } = await createProduct(admin, name)
  await page.goto(LIST)
  await page.getByRole('searchbox', { name: 'Search by name' }).fill(name.toUpperCase())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(listed(name.toUpperCase()))
  await expect(page.getByText('1 product', { exact: true })).toBeVisible()
  await rows(page).getByRole('link').click()
  await expect(page).toHaveURL(editPage(slug))
  await expect(page.getByRole('main')).toContainText(name)

  await fill(page, { Name: other, Price: '0.99' })
  await page.getByLabel('Choose photos').setInputFiles(await photoOf('#1f5c49'))
  await expect(page.getByRole('img', { name: 'Photo 1' })).toBeVisible()
  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()
  await expect(page.getByRole('button', { name: 'UPDATE PRODUCT' })).toHaveCount(0)
  const { product } = await call(productCalls.getProduct, { params: { slug } })
  expect(product).toMatchObject({ name: other, price: 0.99, quantity: 10, shipping: 0 })
  expect(product.photo).not.toBeNull()
  await expect(page).toHaveURL(editPage(product.slug))
  await page.getByRole('main').getByRole('link', { name: 'Products' }).click()
  await expect(page).toHaveURL(listed(name.toUpperCase()))
  await expect(page.getByText('No Products Found')).toBeVisible()

  await page.goto(editPage(slug))
  await expect(page).toHaveURL(editPage(product.slug))
  await expect(page.getByLabel('Name')).toHaveValue(other)
})

test('saves one product after the other, and copies one', async ({ page, admin, call }) => {
  const category = await createCategory(admin, named('Cups'))
  const [first, second, third] = [named('Cup one'), named('Cup two'), named('Cup three')]
  await page.goto(CREATE)
  const enter = async (name: string) => {
    await chooseCategory(page, category.name)
    await fill(page, { Name: name, Description: 'Holds tea.', Price: '12.5', Quantity: '7' })
  }
  await enter(first)
  await page.getByLabel('Photo').setInputFiles(await photoOf('#b4441f'))
  await press(page, 'Save and add another')
  await expect(page.getByLabel('Name')).toHaveValue('')
  await expect(page).toHaveURL(CREATE)
  await expect(page.getByRole('img', { name: 'cup.jpg' })).toHaveCount(0)
  await enter(second)
  await press(page, 'CREATE PRODUCT')
  await expect(row(page, second)).toBeVisible()
  await row(page, first).getByRole('link').click()
  await page.getByRole('link', { name: 'Duplicate' }).click()
  await expect(page.getByRole('heading', { name: 'Create Product' })).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue(first)
  await expect(page.getByRole('img', { name: 'The photo' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Category', exact: true })).toHaveValue(
    category.name,
  )
  await fill(page, { Name: third })
  await press(page, 'CREATE PRODUCT')
  await expect(row(page, third)).toBeVisible()
  const { products } = await call(productCalls.getProducts, { query: { q: third } })
  expect(products[0]).toMatchObject({
    price: 12.5,
    quantity: 7,
    description: 'Holds tea.',
    photo: expect.any(String),
  })
})

test('is told what is wrong, keeps the form, and sends it once', async ({ page, admin }) => {
  const category = await createCategory(admin, named('Cups'))
  const name = named('Clay cup')
  const sent: string[] = []
  page.on('request', (one) => one.method() === 'POST' && sent.push(one.url()))
  const refused = async (words: RegExp) => {
    await press(page, 'CREATE PRODUCT')
    await expect(page.getByRole('status').filter({ hasText: words }).first()).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue(name)
    await expect(page).toHaveURL(CREATE)
  }
  await page.goto(CREATE)
  await fill(page, { Name: name, Description: 'Holds tea.', Quantity: '1' })
  await refused(/price/i)
  await fill(page, { Price: '1.234' })
  await refused(/price/i)
  await fill(page, { Price: '12', Quantity: '1.5' })
  await refused(/quantity/i)
  await fill(page, { Quantity: '-1' })
  await refused(/quantity/i)
  await fill(page, { Quantity: '1' })
  await refused(/category/i)
  await chooseCategory(page, category.name)
  const pdf = { name: 'cup.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('%PDF-1.7') }
  await page.getByLabel('Photo').setInputFiles(pdf)
  await expect(page.getByText('cup.jpg cannot be shown.')).toBeVisible()
  await refused(/photo|picture/i)
  await press(page, 'Remove')
  sent.length = 0
  await page.getByRole('button', { name: 'CREATE PRODUCT' }).dblclick()
  await expect(page.getByText('Product Created Successfully')).toBeVisible()
  await expect(row(page, name)).toBeVisible()
  expect(sent).toHaveLength(1)
})

test('overwrites nothing that another admin has saved meanwhile', { tag: '@journey' }, async ({
  page,
  admin,
  call,
}) => {
  const { _id: id, slug } = await createProduct(admin, named('Clay cup'))
  await page.goto(editPage(slug))
  await fill(page, { Price: '20' })
  const theirs = 'Holds tea, and says so.'
  await admin.call(productAdminCalls.updateProduct, {
    params: { id },
    body: { description: theirs },
  })
  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.getByLabel('Price')).toHaveValue('20')
  const { product } = await call(productCalls.getProduct, { params: { slug } })
  expect(product).toMatchObject({ price: 12.5, description: theirs })

  await press(page, 'Load it again')
  await expect(page.getByLabel('Description')).toHaveValue(theirs)
  await expect(page.getByLabel('Price')).toHaveValue('12.50')
  await fill(page, { Price: '20' })
  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()
  const saved = await call(productCalls.getProduct, { params: { slug } })
  expect(saved.product).toMatchObject({ price: 20, description: theirs })
})

test('takes back no sale after loading a product again', async ({
  page,
  admin,
  customer,
  call,
}) => {
  const cup = await createProduct(admin, named('Clay cup'))
  const { slug } = cup
  const quantity = async () =>
    (await call(productCalls.getProduct, { params: { slug } })).product.quantity
  await page.goto(editPage(slug))
  await fill(page, { Quantity: '5' })
  await buy(customer, Array(9).fill(cup))
  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByRole('alert')).toContainText('1 left')
  await expect(page.getByLabel('Quantity')).toHaveValue('5')
  await press(page, 'Load it again')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByLabel('Quantity')).toHaveValue('1')
  await fill(page, { Price: '13' })
  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()
  expect(await quantity()).toBe(1)
})

test('chooses another category when the chosen one is gone', async ({ page, admin }) => {
  const gone = await createCategory(admin, named('Cups'))
  const other = await createCategory(admin, named('Mugs'))
  const name = named('Clay cup')
  await page.goto(CREATE)
  await fill(page, { Name: name, Description: 'Holds tea.', Price: '12.5', Quantity: '7' })
  await chooseCategory(page, gone.name)
  await admin.call(categoryAdminCalls.deleteCategory, { params: { id: gone._id } })
  const late = await createCategory(admin, named('Jugs'))
  await press(page, 'CREATE PRODUCT')
  await expect(page.getByText(CATEGORY_GONE).first()).toBeVisible()
  await page.getByRole('combobox', { name: 'Category', exact: true }).fill(gone.name.slice(2))
  await expect(page.getByText('There is no such choice.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Category', exact: true }).fill(late.name.slice(2))
  await expect(page.getByRole('option', { name: late.name })).toBeVisible()
  await expect(page.getByLabel('Description')).toHaveValue('Holds tea.')
  await chooseCategory(page, other.name)
  await press(page, 'CREATE PRODUCT')
  await expect(page.getByText('Product Created Successfully')).toBeVisible()
  await expect(row(page, name)).toBeVisible()
})

test('deletes a product after a word and a confirmation', { tag: '@journey' }, async ({
  page,
  admin,
  request,
}) => {
  const name = named('Clay cup')
  const { slug } = await createProduct(admin, name)
  const ofGuests = `/product/${encodeURIComponent(slug)}`
  expect((await request.get(ofGuests)).status()).toBe(200)
  await page.goto(editPage(slug))
  await press(page, 'DELETE PRODUCT')
  await expect(dialog(page).getByRole('button', { name: 'OK' })).toBeDisabled()
  await dialog(page).getByRole('textbox').fill('  ')
  await page.keyboard.press('Enter')
  await expect(dialog(page).getByRole('button', { name: 'OK' })).toBeDisabled()
  await dialog(page).getByRole('textbox').fill('yes')
  await press(page, 'OK')
  await press(page, 'Cancel')
  await expect(dialog(page)).toHaveCount(0)
  expect((await request.get(ofGuests)).status()).toBe(200)

  await press(page, 'DELETE PRODUCT')
  await dialog(page).getByRole('textbox').fill('yes')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toContainText(`“${name}” is deleted from the shop.`)
  await press(page, 'Delete product')
  await expect(page.getByText('Product DEleted Succfully')).toBeVisible()
  await expect(page).toHaveURL(LIST)
  await expect(rows(page).first()).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText(name)
  // gone, so that search engines forget it
  // another machine may show its kept page for a second
  await expect(async () => expect((await page.goto(ofGuests))?.status()).toBe(410)).toPass()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'This product is no longer sold.',
  )
})
