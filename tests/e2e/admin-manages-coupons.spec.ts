import { couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'

test('limits a coupon to a product, changes, exports and deletes it', { tag: '@phone' }, async ({
  page,
  admin,
}) => {
  const code = `E2E-${crypto.randomUUID().slice(0, 8)}`
  const product = await createProduct(admin, named('Clay cup'))
  await page.goto('/dashboard/admin')
  await page.getByRole('link', { name: 'Coupons', exact: true }).click()
  await page.getByRole('link', { name: 'Create coupon' }).click()
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByLabel('Or an amount').fill('5')
  await page.getByLabel('Find a product by its name').fill(product.name)
  await page.getByRole('button', { name: `Add ${product.name}` }).click()
  await page.getByRole('button', { name: 'Create coupon' }).click()
  const item = page.getByRole('listitem').filter({ hasText: code })
  await expect(item).toContainText('$5.00 off · for 1 product · used 0 times')

  await item.getByRole('link', { name: `Edit ${code}` }).click()
  await expect(page.getByRole('button', { name: `Remove ${product.name}` })).toBeVisible()
  await page.getByLabel('Minimum of the cart').fill('20')
  await page.getByRole('button', { name: 'Update coupon' }).click()
  await expect(page.getByText(`${code} is updated`)).toBeVisible()
  await expect(item).toContainText('carts from $20.00')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export coupons' }).click()
  expect((await download).suggestedFilename()).toMatch(/^coupons-.*\.csv$/)

  await item.getByRole('link', { name: `Edit ${code}` }).click()
  await page.getByRole('button', { name: 'Delete coupon' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('The coupon is deleted')).toBeVisible()
  await expect(item).toHaveCount(0)
})

test('is asked before unsaved changes of a coupon are lost', async ({ page, admin }) => {
  const code = `E2E-${crypto.randomUUID().slice(0, 8)}`
  const body = { code, percent: 5 }
  const { coupon } = await admin.call(couponAdminCalls.createCoupon, { body })
  await page.goto(`/dashboard/admin/coupon/${coupon._id}`)
  await page.getByLabel('Percentage').fill('7')
  await page.getByRole('link', { name: 'Coupons', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
  await expect(page.getByLabel('Percentage')).toHaveValue('7')
})
