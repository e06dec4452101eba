/** The back office by the keyboard. */
import type { Page } from '@playwright/test'
import { productCalls } from '#app/products/contract.ts'
import { createCategory, named } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import { press, tabTo, type } from '#tests/support/keyboard.ts'
import { fill, row as rowOf } from '#tests/support/product-pages.ts'

for (const [key, next] of [
  ['Tab', (page: Page) => page.getByRole('textbox', { name: 'Price' })],
  ['Shift+Tab', (page: Page) => page.getByText('Preview of the description')],
] as const) {
  test(`${key} closes the list of categories before it leads into the page`, async ({
    page,
    admin: _,
  }) => {
    await page.goto('/dashboard/admin/create-product')
    await page.getByRole('combobox', { name: 'Category', exact: true }).click()
    await expect(page.getByRole('listbox')).toBeVisible()
    await page.keyboard.press(key)
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await expect(next(page)).toBeFocused()
    await expect(page.getByRole('heading', { name: 'Create Product' })).toBeVisible()
  })
}

test('creates, edits and deletes a product by keyboard', async ({ page, admin }) => {
  test.slow()
  const category = await createCategory(admin, named('Cups'))
  const name = named('Clay cup')
  const heading = page.getByRole('heading', { level: 1 })
  const field = (label: string) => page.getByLabel(label, { exact: true })
  const entry = (label: string) =>
    page.getByRole('navigation', { name: 'Admin Page' }).getByRole('link', { name: label })
  await page.goto('/dashboard/admin')
  await press(entry('Create Product'))
  await expect(heading).toHaveText('Create Product')

  // what is missing is said at its field, which gets the focus
  await press(page.getByRole('button', { name: 'CREATE PRODUCT' }))
  const refused = page.getByRole('textbox', { name: 'Name' })
  await expect(refused).toBeFocused()
  await expect(refused).toHaveAccessibleDescription('Name is required.')
  await type(refused, name)
  await type(field('Description'), 'Holds tea.')
  await tabTo(page.getByRole('combobox', { name: 'Category', exact: true }))
  await page.keyboard.type(category.name)
  await expect(page.getByRole('option', { name: category.name })).toBeVisible()
  await page.keyboard.press('Enter')
  await type(field('Price'), '12.5')
  await type(field('Quantity'), '7')
  await press(page.getByRole('button', { name: 'CREATE PRODUCT' }))
  await expect(heading).toHaveText('All Products')
  await expect(heading).toBeFocused()

  await press(page.getByRole('link').filter({ hasText: name }))
  await expect(heading).toHaveText('Update Product')
  await tabTo(field('Price'))
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('9')
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()
  await expect(field('Price')).toBeFocused()
  await tabTo(page.getByRole('main').getByRole('link', { name: 'Products' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('All Products')
  const row = page.getByRole('row').filter({ hasText: name })
  await expect(row).toContainText('$9.00')

  await tabTo(row)
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('Update Product')
  await press(page.getByRole('button', { name: 'DELETE PRODUCT' }))
  await type(page.getByLabel('Type anything to continue'), 'yes')
  await page.keyboard.press('Enter')
  await press(page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
  await expect(heading).toHaveText('All Products')
  await expect(heading).toBeFocused()
  await expect(row).toHaveCount(0)
})

test('keeps the focus in the page when the row that has it is deleted', async ({ page, admin }) => {
  const { name } = await createCategory(admin, named('Cups'))
  await page.goto('/dashboard/admin/create-category?q=Cups')
  const row = page.getByRole('row').filter({ hasText: name })
  await row.getByRole('button', { name: 'Delete' }).focus()
  await page.keyboard.press('Enter')
  await press(page.getByRole('dialog').getByRole('button', { name: 'Delete' }))
  await expect(row).toHaveCount(0)
  await expect(page.getByRole('table', { name: 'Manage Category' })).toBeFocused()
})

test('Enter in a field presses the main button: it creates a product, and publishes no draft', async ({
  page,
  admin,
  call,
}) => {
  const category = await createCategory(admin, named('Cups'))
  const name = named('Cup')
  await page.goto('/dashboard/admin/create-product')
  await page.getByRole('combobox', { name: 'Category', exact: true }).fill(category.name)
  await page.getByRole('option', { name: category.name }).click()
  await fill(page, { Name: name, Description: 'Holds tea.', Price: '12.5', Quantity: '7' })
  await page.getByLabel('Name').press('Enter')
  await rowOf(page, name).getByRole('link').click()
  await expect(page.getByRole('heading', { name: 'Update Product' })).toBeVisible()
  const status = page.getByRole('combobox', { name: 'Status' })
  await status.selectOption('Draft')
  await page.getByRole('button', { name: 'UPDATE PRODUCT' }).click()
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible()
  await page.getByLabel('Price', { exact: true }).fill('13')
  await page.getByLabel('Price', { exact: true }).press('Enter')
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  await expect(status).toHaveValue('draft')
  expect((await call(productCalls.getProducts, { query: { q: name } })).products).toEqual([])
})
