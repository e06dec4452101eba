/** A shirt from nothing to the first order. */
import type { Page } from '@playwright/test'
import { categoryPath } from '#app/categories/contract.ts'
import { settingsCalls } from '#app/settings/contract.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { createCategory, named, photoOf } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import { press as pressKey, tabTo, type } from '#tests/support/keyboard.ts'
import { fill, press } from '#tests/support/product-pages.ts'
import { addOption, cell, paste, saved } from '#tests/support/variant-editor.ts'

const COLOURS = { Red: '#c01010', Blue: '#1010c0' }
const MINUTE = 60_000

/** The next minute that has not begun in five seconds, as a time of the zone. */
const nextMinute = (timeZone: string) =>
  new Date(Date.now() + 5000 + MINUTE)
    .toLocaleString('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .replace(' ', 'T')

async function draft(page: Page, category: string, name: string) {
  await page.goto('/dashboard/admin/create-product')
  await page.getByRole('combobox', { name: 'Category', exact: true }).fill(category)
  await page.getByRole('option', { name: category, exact: true }).click()
  await fill(page, { Name: name, Description: 'Soft.', Price: '20', Quantity: '3' })
  await press(page, 'Save as draft')
  await expect(page.getByRole('heading', { name: 'Update Product' })).toBeVisible()
}

test('a shirt of 3 × 5 is made, priced by paste, photographed, launched on time, found by facet, and bought by keyboard on a phone', {
  tag: '@journey',
}, async ({ page, admin, browser, call, address, customer }) => {
  test.setTimeout(4 * MINUTE)
  const category = await createCategory(admin, named('Shirts'))
  const name = named('Shirt')
  await draft(page, category.name, name)
  await page.getByLabel('Choose photos').setInputFiles(
    await Promise.all(
      Object.entries(COLOURS).map(async ([colour, background]) => ({
        ...(await photoOf(background)),
        name: `${colour}.jpg`,
      })),
    ),
  )
  await expect(page.getByRole('img', { name: 'Photo 2' })).toBeVisible()

  await addOption(page, 'Colour', 'Red, Blue, Green')
  await addOption(page, 'Size', 'XS, S, M, L, XL')
  await press(page, 'Add 14 variants')
  await cell(page, 'Price of Red / XS').focus()
  await paste(
    page,
    Array.from({ length: 15 }, (_, at) => [`${20 + at}`, '', `${at + 1}`]),
  )
  await press(page, 'UPDATE PRODUCT')
  await saved(page, 'Product Updated Successfully')
  await expect(page.getByText('Product Updated Successfully')).toHaveCount(0)

  await page.getByLabel('Photo 2 is shown for').selectOption('Colour: Blue')
  const { timeZone } = await call(settingsCalls.getSettings)
  await page.getByLabel('Publish at', { exact: true }).fill(nextMinute(timeZone))
  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()

  const context = await browser.newContext({
    baseURL: address,
    viewport: { width: 390, height: 844 },
    isMobile: true,
    hasTouch: true,
  })
  const guest = await context.newPage()
  await guest.goto(categoryPath(category))
  await expect(guest.getByRole('article')).toHaveCount(0)
  await expect(async () => {
    await guest.reload()
    await expect(guest.getByRole('article')).toHaveCount(1, { timeout: 100 })
  }).toPass({ timeout: 2 * MINUTE })

  await guest.getByText('Filters', { exact: true }).click()
  await guest.getByRole('checkbox', { name: /^Blue 1/ }).check()
  await expect(guest).toHaveURL(/\?f=colour%3Ablue$/)
  await pressKey(guest.getByRole('article').getByRole('link', { name: /Details/ }))
  await tabTo(guest.getByRole('radio', { name: 'Red' }))
  await guest.keyboard.press('ArrowRight')
  await tabTo(guest.getByRole('radio', { name: 'XS' }))
  await guest.keyboard.press('ArrowRight')
  await expect(guest.getByRole('main')).toContainText('$26.00')
  await expect(guest.getByRole('img', { name: `${name}, photo 2` })).toBeInViewport()
  await expectAccessible(guest, 'the launched shirt')
  await pressKey(guest.getByRole('button', { name: 'ADD TO CART' }))
  await expect(guest.getByRole('status').getByText('Item Added to Cart')).toBeVisible()
  await pressKey(guest.getByRole('main').getByRole('link', { name: 'Go to cart' }))
  await expect(guest.getByRole('link', { name: `${name} – Blue / S` })).toBeVisible()
  await pressKey(guest.getByRole('button', { name: 'Please Login to Checkout' }))
  await type(guest.getByRole('main').getByLabel('Email'), customer.email)
  await type(guest.getByRole('main').getByLabel('Password'), customer.password)
  await guest.keyboard.press('Enter')
  await pressKey(guest.getByRole('button', { name: 'Make Payment' }))
  await expect(guest.getByRole('dialog', { name: /Test payment/ })).toBeVisible()
  await guest.keyboard.press('Enter')
  await expect(guest.getByRole('article', { name: /^Order \d+$/ })).toContainText('Blue / S')
  await context.close()
})
