/** The legal pages of a shop: written by its admin, linked in the footer, and agreed to before an order. */
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, keepSession, register } from '#tests/support/journey.ts'
import { testInOneShop as test } from '#tests/support/own-shop.ts'

test('a German shop writes its terms, and a customer agrees to them before paying', {
  tag: ['@journey', '@phone'],
}, async ({ page, browser, admin, address }) => {
  const name = named('Kettle')
  await createProduct(admin, name)
  await page.goto('/dashboard/admin/settings/general')
  await page.getByLabel('Country').selectOption('DE')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByRole('button', { name: 'Save settings' })).toBeHidden()
  await page.goto('/dashboard/admin/settings/texts')
  await expect(
    page.getByText('The law of your country asks for: imprint, terms, returns.'),
  ).toBeVisible()
  await page.getByLabel('Text of Imprint').fill('Tea House, Berlin')
  await page
    .getByLabel('Text of Terms')
    .fill('# Terms\n\nTea House\nBerlin\n\n# Contract\n\nWe sell tea.')
  await page.getByLabel('Text of Returns').fill('Fourteen days.')
  await page.keyboard.press('Control+s')
  await expect(page.getByRole('button', { name: 'Save settings' })).toBeHidden()

  const context = await browser.newContext({ baseURL: address })
  const buyer = await register(address)
  await keepSession(context, address, buyer)
  const shop = await context.newPage()
  await shop.goto('/')
  const footer = shop.getByRole('contentinfo')
  await expect(footer.getByRole('link', { name: 'delivery' })).toHaveCount(0)
  await footer.getByRole('link', { name: 'terms' }).click()
  await expect(shop.getByRole('heading', { name: 'Contract' })).toBeVisible()
  await expect(shop.getByRole('heading', { name: 'Terms' })).toHaveCount(1)
  await expect(shop.getByText('Tea House')).toHaveText('Tea House\nBerlin', { useInnerText: true })
  await expectAccessible(shop, 'a legal page')

  await shop.goto(`/search?q=${encodeURIComponent(name)}`)
  await shop.getByRole('button', { name: 'Add to Cart' }).first().click()
  await shop.goto('/cart')
  const pay = shop.getByRole('button', { name: 'Make Payment' })
  const agreement = shop.getByRole('checkbox', { name: /^I have read and agree to/ })
  await expect(agreement).toBeVisible()
  await expect(pay).toBeDisabled()
  await expect(pay).toHaveAccessibleDescription('Please agree to the texts above first.')
  await expect(shop.getByText('Please agree to the texts above first.')).toBeVisible()
  await expect(shop.getByRole('link', { name: 'Terms', exact: true })).toHaveAttribute(
    'href',
    '/legal/terms',
  )
  await expectAccessible(shop, 'a cart with an agreement')
  await agreement.press('Space')
  await expect(pay).toBeEnabled()

  // a text that changes meanwhile is agreed to once more
  const { revision, settings } = await admin.call(settingsAdminCalls.getAllSettings)
  const body = { revision, settings: { ...settings, terms: 'We sell tea and cups.' } }
  await admin.call(settingsAdminCalls.saveSettings, { body })
  await pay.click()
  await expect(shop.getByText('were changed meanwhile')).toBeVisible()
  await expect(agreement).not.toBeChecked()
  await agreement.check()
  await pay.click()
  await shop.getByRole('dialog').getByRole('button', { name: /^Pay/ }).click()
  await expect(shop).toHaveURL('/dashboard/user/orders')
  await context.close()
})
