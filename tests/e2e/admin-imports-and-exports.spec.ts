import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { categoryCalls } from '#app/categories/contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { expect, test } from '#tests/support/journey.ts'

const PAGE = '/dashboard/admin/import-export'
const HEADER = 'slug,name,description,price,quantity,category,shipping'

const choose = (page: Page, ...rows: string[]) =>
  page.getByLabel('CSV file').setInputFiles({
    name: 'products.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from([HEADER, ...rows].join('\r\n')),
  })

/** The content of the file that a button downloads. */
async function downloaded(page: Page, button: string) {
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: button }).click()
  const file = await download
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') }
}

test('downloads products and orders', { tag: '@journey' }, async ({ page, admin }) => {
  await page.goto(PAGE)
  await expect(page.getByRole('heading', { level: 1, name: 'Import and export' })).toBeVisible()
  const products = await downloaded(page, 'Export products')
  expect(products.name).toMatch(/^products-\d{4}-\d\d-\d\d\.csv$/)
  const { total } = await admin.call(productCalls.countProducts)
  expect(total).toBeGreaterThan(0)
  expect(products.text.split('\r\n').length).toBeGreaterThan(80)
  const orders = await downloaded(page, 'Export orders')
  expect(orders.text).toContain('"order_id","date","status"')
})

test('checks a file, hears what is wrong, and imports the corrected one', {
  tag: '@journey',
}, async ({ page, admin }) => {
  const mark = crypto.randomUUID()
  const slug = `kettle-${mark}`
  const shelf = `Kettles ${mark}`
  const row = (price: string) => `${slug},Kettle ${mark},Whistles.,${price},5,${shelf},yes`
  await page.goto(PAGE)

  const field = page.getByLabel('CSV file, up to 50 MB')
  await expect(page.getByRole('button', { name: 'Check the file' })).toHaveAccessibleDescription(
    'Choose a file first.',
  )
  await field.setInputFiles({
    name: 'list.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name,state\nCup,On sale'),
  })
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(field).toHaveAccessibleDescription(
    /no column "state". Use the file of Export products/,
  )

  await choose(page, row('12.345'), ',,,,,,')
  await page.getByRole('button', { name: 'Check the file' }).click()
  const wrong = page.getByRole('table', { name: 'Invalid rows' })
  await expect(
    wrong.getByRole('row', { name: /^2 price: “12\.345” can be read as 12345\.00 or as 12\.34/ }),
  ).toBeVisible()
  await expect(page.getByText('1 of 1 row is invalid. Nothing was imported.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Import/ })).toHaveCount(0)

  await choose(page, row('12.34'))
  await expect(wrong).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Create missing categories' }).check()
  await page.getByRole('button', { name: 'Check the file' }).click()
  await expect(page.getByText(/^All rows are valid: 1 new/)).toBeVisible()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText(/^The products are imported: 1 new/).first()).toBeVisible()

  await page.goto(`/product/${slug}`)
  await expect(page.getByRole('heading', { name: `Kettle ${mark}` })).toBeVisible()

  const { product } = await admin.call(productCalls.getProduct, { params: { slug } })
  await admin.call(productAdminCalls.deleteProduct, { params: { id: product._id } })
  const { category } = await admin.call(categoryCalls.getCategories)
  const id = category.find(({ name }) => name === shelf)?._id ?? ''
  await admin.call(categoryAdminCalls.deleteCategory, { params: { id } })
})
