import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { taxAdminCalls } from '#app/taxes/admin-contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, keepSession } from '#tests/support/journey.ts'
import { test } from '#tests/support/own-shop.ts'
import { pagesOf } from '#tests/support/paper.ts'
import { plain } from '#tests/support/pictures.ts'
import { buy } from '#tests/support/purchase.ts'
import { TAX_SETTINGS } from '#tests/support/taxes.ts'

for (const colorScheme of ['light', 'dark'] as const)
  test(`an invoice is one page on paper, without the controls of the page (${colorScheme})`, async ({
    page,
    context,
    address,
    admin,
    customer,
  }) => {
    const png = await plain(400, 160).png().toBuffer()
    const photo = new File([new Uint8Array(png)], 'logo.png', { type: 'image/png' })
    const { picture } = await admin.call(settingsAdminCalls.uploadPicture, { body: {}, photo })
    const { revision, settings } = await admin.call(settingsAdminCalls.getAllSettings)
    await admin.call(settingsAdminCalls.saveSettings, {
      body: { revision, settings: { ...settings, name: 'Terra & Tide', logo: picture.id } },
    })
    await admin.call(taxAdminCalls.saveTaxSettings, { body: TAX_SETTINGS })
    const cup = await createProduct(admin, named('Cup'))
    const order = await buy(customer, [cup])
    await keepSession(context, address, customer)
    await page.emulateMedia({ colorScheme })
    await page.goto(`/dashboard/user/orders/${order._id}/invoice`)

    const invoice = page.getByRole('article')
    await expect(invoice.getByRole('heading', { level: 1 })).toHaveText(
      `Test order ${order.number}`,
    )
    // on a dark page, too, dark letters of the logo can be read
    await expect(invoice.getByRole('img', { name: 'Terra & Tide' })).toHaveCSS(
      'background-color',
      colorScheme === 'dark' ? 'rgb(255, 255, 255)' : 'rgba(0, 0, 0, 0)',
    )
    await expect(invoice.getByRole('region', { name: 'Seller' })).toContainText(
      'Tax number: 29ABCDE1234F1Z5',
    )
    expect(await pagesOf(page)).toBe(1)
    await page.emulateMedia({ media: 'print' })
    await expect(invoice).toBeVisible()
    for (const part of [invoice, page.locator('html')])
      await expect(part).toHaveCSS('background-color', 'rgb(255, 255, 255)')
    for (const control of [
      page.getByRole('link', { name: 'Skip to the content' }),
      page.getByRole('complementary', { name: 'Test payments' }),
      page.getByRole('button', { name: 'Print' }),
    ])
      await expect(control).toBeHidden()
  })
