import { createCategory, named } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import { fill, press, row } from '#tests/support/product-pages.ts'

test('prepares a product as a draft, previews it, plans its sale and publishes it', {
  tag: '@journey',
}, async ({ page, context, admin, request }) => {
  const category = await createCategory(admin, named('Vases'))
  const name = named('Tall vase')
  await page.goto('/dashboard/admin/create-product')
  await page.getByRole('combobox', { name: 'Category', exact: true }).fill(category.name)
  await page.getByRole('option', { name: category.name, exact: true }).click()
  await fill(page, { Name: name, Description: 'Holds flowers.', Price: '20', Quantity: '7' })
  await press(page, 'Save as draft')
  await expect(page.getByRole('heading', { name: 'Update Product' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('draft')
  expect(await (await request.get('/')).text()).not.toContain(name)

  const opened = context.waitForEvent('page')
  await page.getByRole('link', { name: 'Preview' }).click()
  const preview = await opened
  await expect(preview.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(preview.getByText('This is a preview.')).toBeVisible()
  const answer = await request.get(preview.url())
  expect(answer.headers()).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    // of what the page loads, the proxy logs the address without the token
    'referrer-policy': 'strict-origin',
  })
  expect(await answer.text()).toContain('noindex')
  await preview.close()

  await page.getByLabel('On sale for').fill('25')
  await page.getByLabel('Sale from').fill('2030-01-01T09:00')
  await page.getByLabel('Sale until').fill('2030-01-02T09:00')
  await press(page, 'Publish')
  await expect(page.getByText('The sale price must be below the price.').first()).toBeVisible()
  await page.getByLabel('On sale for').fill('15')
  await press(page, 'Publish')
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('published')
  await expect(page.getByLabel('Sale until')).toHaveValue('2030-01-02T09:00')
  expect(await (await request.get('/')).text()).toContain(name)

  await page.goto(`/dashboard/admin/products?q=${encodeURIComponent(name)}`)
  await page.getByRole('checkbox', { name: `Select ${name}` }).check()
  await press(page, 'Status')
  await page.getByRole('dialog').getByLabel('Status').selectOption('archived')
  await expect(page.getByText('1 product would change.')).toBeVisible()
  await press(page, 'Change status')
  await expect(row(page, name)).toContainText('Archived')
  expect(await (await request.get('/')).text()).not.toContain(name)
})
