import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, keepSession, test } from '#tests/support/journey.ts'
import { sellAndRefund } from '#tests/support/purchase.ts'

test('a part of an order is refunded, and the admin and the buyer open its credit note', {
  tag: ['@journey', '@phone'],
}, async ({ page, context, address, admin, customer }) => {
  const cup = await createProduct(admin, named('Cup'))
  const { order, creditNote } = await sellAndRefund({ admin, customer }, cup)
  const link = page.getByRole('link', { name: `Credit note ${creditNote}`, exact: true })
  const sheet = page.getByRole('article')

  await page.goto(`/dashboard/admin/orders/${order._id}`)
  await link.click()
  await expect(sheet.getByRole('heading', { level: 1 })).toHaveText(`Credit note ${creditNote}`)

  await keepSession(context, address, customer)
  await page.goto('/dashboard/user/orders')
  await expect(page.getByRole('article', { name: `Order ${order.number}` })).toContainText(
    /\$2\.50 refunded on \w+ \d+, \d{4}: A cup was cracked\./,
  )
  await link.click()
  await expect(sheet.getByRole('heading', { level: 1 })).toHaveText(`Credit note ${creditNote}`)
  await expect(sheet.getByText(/^For invoice \d+ of/)).toContainText('A cup was cracked.')
  await expect(sheet.getByLabel('Totals')).toHaveText(/^Total\$2\.50$/)
  await page.emulateMedia({ media: 'print' })
  await expect(sheet).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
})
