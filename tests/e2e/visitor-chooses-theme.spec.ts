/** The theme (that of the operating system, light or dark), motion, forced colours, and time limits. */
import type { Page } from '@playwright/test'
import { openCart, productsInStock } from '#tests/support/cart.ts'
import { expect, test } from '#tests/support/journey.ts'
import { payButton, sandbox } from '#tests/support/payment-dialog.ts'

const LIGHT = 'rgb(250, 244, 232)'
const DARK = 'rgb(28, 22, 18)'

const background = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
const choice = (page: Page) => page.getByLabel('Theme')
const barColours = (page: Page) =>
  page
    .locator('meta[name=theme-color]')
    .evaluateAll(
      (metas) =>
        metas.filter((meta) => matchMedia(meta.getAttribute('media') ?? '').matches).length,
    )

test('the theme is that of the system, until the visitor chooses one, which is remembered', async ({
  page,
  context,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/about')
  expect(await background(page)).toBe(DARK)
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await background(page)).toBe(LIGHT)
  await expect(choice(page)).toHaveValue('system')

  const other = await context.newPage()
  await other.goto('/policy')
  await choice(page).selectOption('Dark')
  expect(await background(page)).toBe(DARK)
  await expect.poll(() => background(other), 'in another tab').toBe(DARK)
  await expect(choice(other)).toHaveValue('dark')
  expect(await barColours(page)).toBe(1)

  // after a navigation in the page, which renders the switch anew where the layout changes
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact' }).click()
  await expect(choice(page)).toHaveValue('dark')
  await choice(page).selectOption('System')
  expect(await background(page)).toBe(LIGHT)
  await page.reload()
  await expect(choice(page)).toHaveValue('system')
})

test('the chosen theme is there before anything is painted, without the page’s scripts', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/about')
  await choice(page).selectOption('Dark')
  await page.route('**/assets/*.js', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: '' }),
  )
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.body) return
      observer.disconnect()
      document.documentElement.dataset.themeAtFirst = document.documentElement.dataset.theme
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-theme-at-first', 'dark')
  expect(await background(page)).toBe(DARK)
  await expect(choice(page)).toHaveValue('dark')
})

/** A photo is a little darker in the dark theme only. */
const DIMMED = { light: 'none', dark: 'brightness(0.9)' }
const SURFACE = { light: 'rgb(255, 253, 248)', dark: 'rgb(42, 33, 27)' }

for (const [chosen, system] of [
  ['dark', 'light'],
  ['light', 'dark'],
] as const) {
  test(`with ${chosen} chosen on a ${system} system, photos, messages and the payment are ${chosen}`, async ({
    page,
    signedIn: _,
    call,
  }) => {
    const [product] = await productsInStock(call, 1)
    await page.emulateMedia({ colorScheme: system })
    await page.addInitScript((theme) => localStorage.setItem('theme', theme), chosen)
    await page.goto(`/product/${product?.slug}`)
    const photo = page.getByRole('img', { name: product?.name ?? '' }).first()
    await expect(photo).toHaveCSS('filter', DIMMED[chosen])
    await page.getByRole('button', { name: 'ADD TO CART', exact: true }).click()
    const message = page.getByRole('status').locator('.surface', { hasText: 'Item Added to Cart' })
    await expect(message).toHaveCSS('background-color', SURFACE[chosen])

    await openCart(page, [product])
    await payButton(page).click()
    await expect(sandbox(page)).toHaveCSS('color-scheme', chosen)
    await sandbox(page).getByRole('button', { name: 'Close' }).click()
  })
}

test('messages go away by themselves, unless the visitor keeps them open; then redirects wait, too', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto('/')
  const add = page.getByRole('button', { name: 'Add to Cart', disabled: false })
  const message = page.getByRole('status').getByText('Item Added to Cart')
  await add.first().click()
  await expect(message).toBeVisible()
  await page.clock.fastForward('00:10')
  await expect(message).toBeHidden()

  await page.getByLabel('Keep messages on screen').check()
  await page.reload()
  await expect(page.getByLabel('Keep messages on screen')).toBeChecked()
  await add.first().click()
  await expect(message).toBeVisible()
  await page.clock.fastForward('10:00')
  await expect(message).toBeVisible()
  await page.getByRole('button', { name: 'Close: Item Added to Cart' }).click()
  await expect(message).toBeHidden()

  await page.goto('/dashboard/user')
  await expect(page.getByRole('heading', { name: 'This page is not open to you' })).toBeVisible()
  await page.clock.fastForward('10:00')
  await expect(page).toHaveURL('/dashboard/user')
  await page.getByRole('link', { name: 'Continue now' }).click()
  await expect(page).toHaveURL('/login')
  await page.getByLabel('Keep messages on screen').uncheck()
})

test('nothing moves for visitors who want less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Add to Cart', disabled: false })
  await button.first().click()
  await expect(page.getByText('Item Added to Cart')).toBeVisible()
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => {
        const { animationName, transitionDuration, scrollBehavior } = getComputedStyle(element)
        const isFading = element.closest('[role=status]') !== null
        return (
          (animationName !== 'none' && !isFading) ||
          /[1-9]/.test(transitionDuration) ||
          scrollBehavior === 'smooth'
        )
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 200)),
  )
  expect(moving).toEqual([])
})

test('with forced colours, the focus and the present page are shown by lines', async ({ page }) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/')
  const home = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' })
  await expect(home).toHaveCSS('outline-style', 'solid')
  await expect(page.getByRole('button', { name: 'Add to Cart' }).first()).toHaveCSS(
    'border-top-style',
    'solid',
  )
  const button = page.getByRole('button', { name: 'Next' })
  await button.focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await expect(button).toHaveCSS('outline-style', 'solid')
})
