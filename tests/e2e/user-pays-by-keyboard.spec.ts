/** A whole purchase without a mouse. */
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, logIn, test } from '#tests/support/journey.ts'
import { press, tabTo, type } from '#tests/support/keyboard.ts'

test('a customer finds a product, fills the cart, logs in and pays by keyboard', {
  tag: '@journey',
}, async ({ page, address, customer }) => {
  test.slow()
  const name = named('Kettle')
  await createProduct(await logIn(address, DEMO_ADMIN), name)
  const main = page.getByRole('main')
  const heading = page.getByRole('heading', { level: 1 })
  await page.goto('/')
  await press(page.getByRole('link', { name: 'Skip to the content' }))
  await expect(main).toBeFocused()
  await tabTo(page.getByRole('searchbox', { name: 'Search' }), 'Shift+Tab')
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('Search Results')
  await expect(heading).toBeFocused()

  const card = page.getByRole('article').filter({ hasText: name })
  await press(card.getByRole('link', { name: 'Details' }))
  await expect(heading).toHaveText(name)
  await press(page.getByRole('button', { name: 'ADD TO CART' }))
  await expect(page.getByText('Item Added to Cart')).toBeVisible()
  await tabTo(page.getByRole('link', { name: /^Cart 1/ }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('Hello Guest')

  await press(page.getByRole('button', { name: 'One more' }))
  await expect(page.getByText('You have 2 items in your cart')).toBeVisible()
  // at the least number the button stays where it is, with the focus
  await tabTo(page.getByRole('button', { name: 'One less' }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(page.getByText('You have 1 item in your cart')).toBeVisible()
  await expect(page.getByRole('button', { name: 'One less' })).toBeFocused()
  await press(page.getByRole('button', { name: 'Please Login to Checkout' }))

  await type(main.getByLabel('Email'), customer.email)
  await type(main.getByLabel('Password'), customer.password)
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText(`Hello ${customer.user.name}`)
  // it can have the focus when the total is there
  await expect(page.getByRole('button', { name: 'Make Payment' })).toBeEnabled()
  await press(page.getByRole('button', { name: 'Make Payment' }))
  const dialog = page.getByRole('dialog', { name: /Test payment/ })
  await expect(dialog.getByRole('button', { name: 'Pay', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(heading).toHaveText('Your Orders')
  await expect(page.getByRole('article', { name: /^Order \d+$/ })).toContainText(name)
  await expect(heading).toBeFocused()
})
