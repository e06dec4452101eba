import { productAdminCalls } from '#app/products/admin-contract.ts'
import { catalogueCalls } from '#app/products/catalogue-contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { publicationCalls } from '#app/products/publication-contract.ts'
import { breakCall, createCategory, createProduct, named } from '#tests/support/back-office.ts'
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

test('edits stock and price in the list, and takes it back', { tag: '@journey' }, async ({
  page,
  admin,
  customer,
  call,
}) => {
  const name = named('Clay cup')
  const cup = await createProduct(admin, name)
  const stored = async () =>
    (await call(productCalls.getProduct, { params: { slug: cup.slug } })).product
  await page.goto(listed(name))
  const columns = () =>
    page.getByRole('columnheader').evaluateAll((all) => all.map((one) => one.clientWidth))
  await expect(row(page, name)).toBeVisible()
  const widths = await columns()
  await page.getByRole('button', { name: `Stock of ${name}: edit` }).click()
  // the columns stay where they are
  await expect(page.getByRole('textbox', { name: `Stock of ${name}` })).toBeFocused()
  expect(await columns()).toEqual(widths)
  // a sale meanwhile is not taken back
  await buy(customer, [cup, cup])
  await page.getByRole('textbox', { name: `Stock of ${name}` }).fill('25')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('textbox', { name: 'Reason' })).toBeFocused()
  await page.keyboard.type('Counted anew')
  expect(await columns()).toEqual(widths)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()
  expect((await stored()).quantity).toBe(23)
  const [last] = await admin.call(catalogueCalls.getStockHistory, {
    params: { id: cup._id },
    query: {},
  })
  expect(last).toMatchObject({ reason: 'Counted anew', quantity: 23 })
  const stock = page.getByRole('button', { name: `Stock of ${name}: edit` })
  await expect(stock).toHaveText(/^23 /)
  await press(page, 'Undo')
  await expect(stock).toHaveText(/^8 /)
  expect((await stored()).quantity).toBe(8)

  const price = page.getByRole('textbox', { name: `Price of ${name}` })
  await page.getByRole('button', { name: `Price of ${name}: edit` }).click()
  await price.fill('1.2.3')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Enter an amount' })).toBeVisible()
  await price.fill('9,5')
  await page.keyboard.press('Enter')
  await expect(row(page, name)).toContainText('$9.50')
  expect((await stored()).price).toBe(9.5)
  await page.getByRole('button', { name: `Price of ${name}: edit` }).click()
  await price.fill('100')
  await page.keyboard.press('Escape')
  await expect(row(page, name)).toContainText('$9.50')
})

test('sorts and filters the list by address, forth and back', async ({ page, admin, call }) => {
  const { _id: category, name } = await createCategory(admin, named('Cups'))
  for (const [title, quantity] of [
    ['B cup', 9],
    ['A cup', 0],
    ['C cup', 2],
  ] as const)
    await admin.call(productAdminCalls.createProduct, {
      body: { name: title, description: 'Holds tea.', price: 1, quantity, category, shipping: 0 },
    })
  const titles = () => rows(page).getByRole('link').allTextContents()
  await page.goto('/dashboard/admin/create-category')
  await page.getByRole('row', { name }).getByRole('link', { name: '3' }).click()
  await expect(page).toHaveURL(`${LIST}?category=${category}`)
  await expect(page.getByRole('combobox', { name: 'Category', exact: true })).toHaveValue(category)
  await expect.poll(titles).toEqual(['C cup', 'A cup', 'B cup'])
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click()
  await expect.poll(titles).toEqual(['A cup', 'B cup', 'C cup'])
  await page.getByRole('columnheader', { name: 'Stock' }).getByRole('link').click()
  await expect.poll(titles).toEqual(['A cup', 'C cup', 'B cup'])
  await page.getByRole('columnheader', { name: 'Stock' }).getByRole('link').click()
  await expect.poll(titles).toEqual(['B cup', 'C cup', 'A cup'])
  // a phone, which has no headers
  await page.setViewportSize({ width: 390, height: 844 })
  const order = page.getByRole('combobox', { name: 'Sort by' })
  await expect(order).toHaveValue('-quantity')
  await order.selectOption('Name descending')
  await expect.poll(titles).toEqual(['C cup', 'B cup', 'A cup'])
  await page.goBack()
  await page.getByRole('link', { name: 'Sold out' }).click()
  await expect.poll(titles).toEqual(['A cup'])
  await page.goBack()
  await expect.poll(titles).toEqual(['B cup', 'C cup', 'A cup'])
  const { total } = await call(productCalls.countProducts)
  await page.goto(`${LIST}?page=${Math.ceil(total / 50) + 1}`)
  await expect(page.getByText('There is no such page.')).toBeVisible()
})

test('cuts a description at 80 characters and shows markup as text', async ({ page, admin }) => {
  const name = named('<img src=x onerror=alert(1)> & 🍵')
  const { slug } = await createProduct(admin, name, `${'<i>'.repeat(30)}the end`)
  await page.goto(listed(name))
  await expect(rows(page).getByRole('link')).toHaveText(name)
  await expect(rows(page)).toContainText(`${'<i>'.repeat(30).slice(0, 80)}...`)
  await page.goto(editPage(slug))
  await expect(page.getByLabel('Name')).toHaveValue(name)
  await press(page, 'DELETE PRODUCT')
  await dialog(page).getByRole('textbox').fill('yes')
  await press(page, 'OK')
  await expect(dialog(page).getByRole('heading')).toHaveText(`Delete ${name}?`)
})

test('previews a description, and gives a correction of stock a reason', async ({
  page,
  admin,
  customer,
}) => {
  const cup = await createProduct(admin, named('Clay cup'))
  await buy(customer, [cup])
  await page.goto(editPage(cup.slug))
  await fill(page, { Description: 'Holds **tea**.' })
  await page.getByText('Preview of the description').click()
  await expect(page.locator('strong').filter({ hasText: 'tea' })).toBeVisible()
  await fill(page, { Quantity: '12' })
  await fill(page, { Reason: 'Counted anew' })
  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()
  // the form has begun anew
  await expect(page.getByLabel('Reason')).toHaveCount(0)
  await press(page, 'History of the stock')
  const history = dialog(page).locator('tbody tr')
  await expect(history).toHaveCount(3)
  await expect(history.nth(0)).toContainText(`Corrected: Counted anew${admin.user.name}+312`)
  await expect(history.nth(1)).toContainText(/Sold with order \d+−1/)
  await expect(history.nth(2)).toContainText('Created')
  await expect(history.nth(1).getByRole('link', { name: /^order \d+$/ })).toHaveAttribute(
    'href',
    /^\/dashboard\/admin\/orders\//,
  )
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await expect(dialog(page)).toHaveCount(0)
  await page.goto(`/product/${cup.slug}`)
  await expect(page.getByRole('article').locator('strong')).toHaveText('tea')
})

test('a row has the first 80 characters of the description and an ellipsis, whatever the width cuts', async ({
  page,
  admin,
}) => {
  const name = named('Clay cup')
  await createProduct(admin, name, 'Holds tea. '.repeat(20))
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(listed(name))
    await expect(row(page, name)).toContainText(`${'Holds tea. '.repeat(20).slice(0, 80)}...`, {
      useInnerText: true,
    })
  }
})

test('a product that cannot be copied is logged and told in its place, without a toast', async ({
  page,
  admin: _,
}) => {
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'warning' && logged.push(message.text()))
  await breakCall(page, publicationCalls.openProduct)
  await page.goto('/dashboard/admin/create-product?copy=some-cup')
  const main = page.getByRole('main')
  await expect(main.getByRole('alert')).toHaveText('The product could not be copied.')
  await expect(page.getByText('The product could not be copied.')).toHaveCount(1)
  expect(logged.filter((line) => line.includes('418'))).toHaveLength(1)
})
