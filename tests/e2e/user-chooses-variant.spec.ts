/** A product in colours and sizes. */
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { afterDoubleClick } from '#tests/support/cart.ts'
import { expect, logIn, test } from '#tests/support/journey.ts'
import { press, tabTo, type } from '#tests/support/keyboard.ts'
import { createShirt } from '#tests/support/shirt.ts'

test('a customer chooses size and colour by keyboard on a phone and buys it', {
  tag: ['@journey', '@phone'],
}, async ({ page, address, customer }) => {
  test.slow()
  const shirt = await createShirt(await logIn(address, DEMO_ADMIN))
  const main = page.getByRole('main')
  const colour = page.getByRole('group', { name: 'Colour' })
  const size = page.getByRole('group', { name: 'Size' })
  await page.goto(`/product/${shirt.slug}`)
  await expect(main).toContainText('From $12.50 to $19.00')
  await expect(size.getByRole('radio', { name: 'M sold out' })).not.toBeChecked()

  await tabTo(size.getByRole('radio', { name: 'S', exact: true }))
  await page.keyboard.press('ArrowRight')
  await expect(size.getByRole('radio', { name: 'M sold out' })).toBeFocused()
  await expect(size.getByRole('radio', { name: 'M sold out' })).toBeChecked()
  await expect(main).toContainText('Red / M is sold out')
  await expect(page.getByRole('button', { name: 'ADD TO CART' })).toBeDisabled()

  await tabTo(colour.getByRole('radio', { name: 'Red sold out' }), 'Shift+Tab')
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(`/product/${shirt.slug}?variant=${shirt.blueInM}`)
  await expect(main).toContainText('You save $6.00')
  await expect(main).toContainText('Only 3 left')
  await expectAccessible(page, 'a chosen variant')

  await tabTo(page.getByRole('spinbutton', { name: 'Quantity' }))
  await page.keyboard.press('ArrowUp')
  await press(page.getByRole('button', { name: 'ADD TO CART' }))
  await expect(page.getByRole('status').getByText('Item Added to Cart')).toBeVisible()
  await expectAccessible(page, 'what was added')
  await expect(page.getByRole('button', { name: 'ADD TO CART' })).toBeFocused()
  const cart = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Cart/ })
  await expect(cart).toContainText('2')
  await afterDoubleClick(page)
  await page.keyboard.press('Enter')
  await expect(cart).toContainText('4')
  await press(main.getByRole('link', { name: 'Go to cart' }))

  const items = page.getByRole('list', { name: 'Items' })
  const link = items.getByRole('link', { name: `${shirt.name} – Blue / M` })
  await expect(link).toHaveAttribute('href', `/product/${shirt.slug}?variant=${shirt.blueInM}`)
  await expect(items.getByText('Only 3 left')).toBeVisible()
  await press(items.getByRole('button', { name: 'One less' }))
  await press(page.getByRole('button', { name: 'Please Login to Checkout' }))
  await type(main.getByLabel('Email'), customer.email)
  await type(main.getByLabel('Password'), customer.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Make Payment' })).toBeEnabled()
  await press(page.getByRole('button', { name: 'Make Payment' }))
  await expect(page.getByRole('dialog', { name: /Test payment/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Orders')
  await expect(page.getByRole('article', { name: /^Order \d+$/ })).toContainText('Blue / M')
})

test('a card of a product with options adds nothing unasked: it leads to the choice', {
  tag: ['@journey', '@phone'],
}, async ({ page, address }) => {
  const shirt = await createShirt(await logIn(address, DEMO_ADMIN))
  await page.goto(`/search?q=${encodeURIComponent(shirt.name)}`)
  const card = page.getByRole('article').filter({ hasText: shirt.name })
  await expect(card).toContainText('$12.50')
  await expect(card).toContainText('in 2 colours and 2 sizes')
  await card.getByRole('link', { name: 'Add to Cart' }).click()
  await expect(page).toHaveURL(`/product/${shirt.slug}#choose`)
  await expect(page.getByRole('group', { name: 'Colour' })).toBeInViewport()
  const cart = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Cart/ })
  await expect(cart).toContainText('0')
})

test('a choice before the scripts have run stays chosen', async ({ page, address }) => {
  const shirt = await createShirt(await logIn(address, DEMO_ADMIN))
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue()
  })
  await page.goto(`/product/${shirt.slug}`, { waitUntil: 'commit' })
  await page.getByRole('radio', { name: 'Blue' }).click()
  resolve()
  await expect(page.getByRole('main')).toContainText('You save $6.00')
  await expect(page.getByRole('radio', { name: 'Blue' })).toBeChecked()
  await expect(page).toHaveURL(/variant=/)
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('a variant is chosen by a form, and its address shows it', { tag: '@journey' }, async ({
    page,
    address,
  }) => {
    const shirt = await createShirt(await logIn(address, DEMO_ADMIN))
    const main = page.getByRole('main')
    await page.goto(`/product/${shirt.slug}`)
    for (const [name, value] of [
      ['Colour', 'Blue'],
      ['Size', 'M'],
    ]) {
      const group = page.getByRole('group', { name })
      await group.getByRole('radio', { name: value }).check()
      await group.getByRole('button', { name: 'Choose' }).click()
      await expect(group.getByRole('radio', { name: value })).toBeChecked()
    }
    await expect(page).toHaveURL(`/product/${shirt.slug}?variant=${shirt.blueInM}`)
    await expect(main).toContainText('You save $6.00')
    await expect(main).toContainText('Only 3 left')
  })
})
