/** Products are described by attributes, by which customers narrow lists. In a shop of its own, because forms of others would have them. */
import type { Page } from '@playwright/test'
import { categoryPath } from '#app/categories/contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { editPath, productPath } from '#app/products/contract.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { createCategory } from '#tests/support/back-office.ts'
import { expect, type Visitor } from '#tests/support/journey.ts'
import { test } from '#tests/support/own-shop.ts'
import { dialog, press } from '#tests/support/product-pages.ts'
import { thingsIn } from '#tests/support/structured-data.ts'

const row = (page: Page, name: string) =>
  page.getByRole('table', { name: 'Attributes' }).getByRole('row').filter({ hasText: name })

async function createTables(admin: Visitor) {
  const category = await createCategory(admin, 'Tables')
  const create = async (name: string) => {
    const facts = { description: 'Stands.', price: 90, quantity: 3, shipping: 0 }
    const body = { name, category: category._id, ...facts }
    return (await admin.call(productAdminCalls.createProduct, { body })).products
  }
  return { category, desk: await create('Desk'), bench: await create('Bench') }
}

async function define(page: Page, name: string, fill: () => Promise<unknown>) {
  await press(page, 'New attribute')
  await dialog(page).getByLabel('Name').fill(name)
  await fill()
  await press(page, 'Save attribute')
  await expect(page.getByText(`${name} is created`)).toBeVisible()
}

test('defines attributes and describes a product, which a guest finds by its material', {
  tag: '@journey',
}, async ({ page, admin, browser, address, request }) => {
  const { category, desk } = await createTables(admin)
  await page.goto('/dashboard/admin/attributes')
  await expect(page.getByText('for example Material with the values Oak and Steel')).toBeVisible()
  await define(page, 'Material', async () => {
    const values = dialog(page).getByLabel('Add values of the attribute')
    await values.fill('Steel, Oak, Ash')
    await values.press('Enter')
    await dialog(page).getByRole('button', { name: 'Move Oak before' }).click()
    await dialog(page).getByRole('button', { name: 'Remove Ash' }).click()
  })
  await expect(row(page, 'Material')).toContainText('Oak, Steel')
  await define(page, 'Weight', async () => {
    const filter = dialog(page).getByRole('checkbox', { name: 'Offer as a filter in the shop' })
    await dialog(page).getByLabel('Kind').selectOption('Text')
    await expect(filter).not.toBeChecked()
    await dialog(page).getByLabel('Kind').selectOption('Number')
    await expect(filter).toBeChecked()
    await dialog(page).getByLabel('Unit').fill('kg')
  })
  await expect(row(page, 'Weight')).toContainText('in kg')
  await expectAccessible(page, 'attributes')

  await page.goto(editPath(desk))
  await page.getByLabel('Material').selectOption('Oak')
  await page.getByLabel('Weight', { exact: true }).fill('12.5')
  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Weight', { exact: true })).toHaveValue('12.5')
  await page.getByRole('link', { name: 'Duplicate' }).click()
  await expect(page.getByRole('heading', { name: 'Create Product' })).toBeVisible()
  await expect(page.getByLabel('Material').getByRole('option', { selected: true })).toHaveText(
    'Oak',
  )

  const guest = await browser.newPage({ baseURL: address })
  await guest.goto(categoryPath(category))
  await expect(guest.getByRole('article')).toHaveCount(2)
  await guest.getByRole('checkbox', { name: /^Oak 1/ }).check()
  await expect(guest.getByRole('article')).toHaveText([/Desk/])
  await expect(guest).toHaveURL(/\?f=material%3Aoak$/)
  await expect(guest.getByRole('checkbox', { name: /^12\.5 kg 1/ })).toBeVisible()

  await guest.goto(productPath(desk))
  await expect(guest.getByRole('term')).toHaveText(['Material', 'Weight'])
  await expect(guest.getByRole('definition')).toHaveText(['Oak', '12.5 kg'])
  await expectAccessible(guest, 'the page of a product with attributes')
  const things = thingsIn(await (await request.get(productPath(desk))).text())
  expect(things[0]).toMatchObject({
    additionalProperty: [
      { '@type': 'PropertyValue', name: 'Material', value: 'Oak' },
      { '@type': 'PropertyValue', name: 'Weight', value: 12.5, unitText: 'kg' },
    ],
  })
  await guest.close()

  await page.goto('/dashboard/admin/attributes')
  await row(page, 'Material').getByRole('button', { name: 'Edit' }).click()
  await dialog(page).getByRole('button', { name: 'Remove Oak' }).click()
  await expect(dialog(page)).toContainText('Products that have Oak lose this value')
  await press(page, 'Save attribute')
  await expect(page.getByText('Material is saved')).toBeVisible()
  await row(page, 'Weight').getByRole('button', { name: 'Delete' }).click()
  await expect(dialog(page)).toContainText('1 product loses its value of it.')
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(row(page, 'Weight')).toHaveCount(0)
  await page.goto(productPath(desk))
  await expect(page.getByRole('heading', { level: 1, name: 'Desk' })).toBeVisible()
  await expect(page.getByRole('term')).toHaveCount(0)
})
