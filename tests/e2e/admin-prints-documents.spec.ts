import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import { pagesOf } from '#tests/support/paper.ts'
import { sellAndRefund } from '#tests/support/purchase.ts'

test('a packing slip, an invoice and a credit note are one page on paper, without the menu', async ({
  page,
  admin,
  customer,
}) => {
  const cup = await createProduct(admin, named('Cup'))
  const { order, creditNote } = await sellAndRefund({ admin, customer }, cup)
  const sheet = page.getByRole('article')
  for (const path of [
    `${order._id}/packing-slip`,
    `${order._id}/invoice`,
    `credit-note/${creditNote}`,
  ]) {
    await page.emulateMedia({ media: 'screen' })
    await page.goto(`/dashboard/admin/orders/${path}`)
    await expect(sheet).toBeVisible()
    expect(await pagesOf(page)).toBe(1)
    await page.emulateMedia({ media: 'print' })
    for (const width of [390, 794]) {
      await page.setViewportSize({ width, height: 800 })
      await expect(sheet).toBeVisible()
      for (const control of ['navigation', 'button', 'complementary'] as const)
        await expect(page.getByRole(control)).toHaveCount(0)
    }
  }
})
