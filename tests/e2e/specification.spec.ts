/**
 * The specification, sentence by sentence, in the demo as `npm start` starts it: what a guest sees of the shop. The
 * titles are its words (docs/specification.md); tests/architecture/specification.test.ts compares both.
 */
import type { Page } from '@playwright/test'
import { PAGE_SIZE, productCalls, productPath } from '#app/products/contract.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { createCategory, createProduct, named } from '#tests/support/back-office.ts'
import { openCart, productsInStock } from '#tests/support/cart.ts'
import { aCategory, categoriesOf } from '#tests/support/demo-catalogue.ts'
import { expect, logIn, test } from '#tests/support/journey.ts'
import { says } from '#tests/support/specification.ts'

const tag = ['@journey', '@specification']

const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const cards = (page: Page) => page.getByRole('article')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

test(says('Top navbar, main area with a toast area, footer.'), { tag }, async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('banner').getByRole('navigation')).toBeVisible()
  await expect(page.getByRole('main')).toBeVisible()
  await expect(page.getByRole('status').first()).toBeAttached()
  await expect(page.getByRole('contentinfo')).toBeVisible()
})

test(says(
  'Navbar: brand link to /; Home (/); a Categories dropdown with All Categories (/categories) and one entry per category linking to /category/{slug}.',
), { tag }, async ({ page, call }) => {
  await page.goto('/about')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Haat' })).toHaveAttribute(
    'href',
    '/',
  )
  await expect(menu(page).getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/')
  await menu(page).getByRole('button', { name: 'Categories' }).click()
  const all = menu(page).getByRole('link', { name: 'All Categories' })
  await expect(all).toHaveAttribute('href', '/categories')
  for (const { name, slug } of (await categoriesOf(call)).slice(0, 3))
    await expect(menu(page).getByRole('link', { name, exact: true })).toHaveAttribute(
      'href',
      `/category/${slug}`,
    )
})

test(says('Logged out: Register (/register) and Login (/login).'), { tag }, async ({ page }) => {
  await page.goto('/')
  await expect(menu(page).getByRole('link', { name: 'Register' })).toHaveAttribute(
    'href',
    '/register',
  )
  await expect(menu(page).getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login')
})

test(says('Cart (/cart) with a badge showing the number of cart items; zero is shown as 0.'), {
  tag,
}, async ({ page, call }) => {
  await page.goto('/')
  const cart = menu(page).getByRole('link', { name: /^Cart/ })
  await expect(cart).toHaveAttribute('href', '/cart')
  await expect(cart).toContainText('0')
  await openCart(page, await productsInStock(call, 3))
  await expect(cart).toContainText('3')
})

test(says('Footer: copyright line, links to /about, /contact, /policy.'), { tag }, async ({
  page,
}) => {
  await page.goto('/')
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText(/Copyright ©/)
  for (const [name, path] of [
    ['About', '/about'],
    ['Contact', '/contact'],
    ['Policy', '/policy'],
  ] as const)
    await expect(footer.getByRole('link', { name, exact: true })).toHaveAttribute('href', path)
})

test(says(
  'A search form (text input, placeholder Search, a Search submit button) is part of the shop.',
  'Submitting it fetches results, stores them with the keyword and navigates to /search.',
  'Search: submit fetches results, stores them with the keyword, moves to /search.',
  "/search | Search results: 'No Products Found' or 'Found N'",
), { tag }, async ({ page, call }) => {
  const found = await call(productCalls.countProducts)
  expect(found.total).toBeGreaterThan(0)
  await page.goto('/')
  await page
    .getByRole('textbox', { name: 'Search' })
    .or(page.getByPlaceholder('Search'))
    .first()
    .fill('wool')
  await page.getByRole('search').getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL('/search?q=wool')
  await expect(page.getByText(/^Found [1-9]\d*$/)).toBeVisible()
  await expect(page.getByPlaceholder('Search')).toHaveValue('wool')
  await page.goto('/search?q=zzzqqq')
  await expect(page.getByText('No Products Found')).toBeVisible()
})

test(says(
  '/ | Home',
  'Right side: a 3-slide image carousel with previous and next controls; heading All Products; a grid of product cards.',
  'Carousel: 3 slides.',
), { tag }, async ({ page }) => {
  await page.goto('/')
  const slides = page.getByRole('region', { name: 'Highlights' })
  await expect(slides.getByRole('listitem')).toHaveCount(3)
  const strip = slides.locator('> div')
  const place = () => strip.evaluate(({ scrollLeft }) => scrollLeft)
  await slides.getByRole('button', { name: 'Next' }).click()
  await expect.poll(place).toBeGreaterThan(100)
  await slides.getByRole('button', { name: 'Previous' }).click()
  await expect.poll(place).toBe(0)
  await expect(heading(page)).toHaveText('All Products')
  await expect(cards(page)).toHaveCount(PAGE_SIZE)
})

test(says(
  '/product/{slug} | Product details with related products',
  "Similar Products list: each with More Details and Add to Cart; or 'No Similar Products Found'.",
), { tag }, async ({ page, address, call }) => {
  const { _id } = await aCategory(call)
  const { products } = await call(productCalls.filterProducts, { body: { checked: [_id] } })
  await page.goto(productPath(products[0] ?? { slug: '' }))
  await expect(heading(page)).toHaveText(products[0]?.name ?? '')
  const similar = page.locator('section', {
    has: page.getByRole('heading', { name: 'Similar Products' }),
  })
  const first = similar.getByRole('article').first()
  await expect(first.getByRole('link', { name: 'More Details' })).toHaveAttribute(
    'href',
    /^\/product\//,
  )
  await expect(first.getByRole('button', { name: 'Add to Cart' })).toBeVisible()
  const lonely = await createProduct(await logIn(address, DEMO_ADMIN), named('Jug'))
  await page.goto(productPath(lonely))
  await expect(similar.getByText('No Similar Products Found')).toBeVisible()
})

test(says(
  '/categories | All categories as coloured tiles linking to /category/{slug}; colours cycle through 10 styles',
  'Category tile colour styles: 10.',
), { tag }, async ({ page, address, call }) => {
  const admin = await logIn(address, DEMO_ADMIN)
  for (let count = (await categoriesOf(call)).length; count < 12; count += 1)
    await createCategory(admin, named('Shelf'))
  await page.goto('/categories')
  const tiles = page.getByRole('main').getByRole('link')
  await expect(tiles.nth(11)).toHaveAttribute('href', /^\/category\//)
  const styles = await tiles.evaluateAll((links) =>
    links.map((link) => {
      const { backgroundColor, color } = getComputedStyle(link)
      return `${backgroundColor} ${color}`
    }),
  )
  expect(new Set(styles.slice(0, 10)).size).toBe(10)
  expect(styles.slice(10)).toEqual(styles.slice(0, -10))
})

test(says('/category/{slug} | Products of a category, with a count'), { tag }, async ({
  page,
  call,
}) => {
  const { slug, name } = await aCategory(call)
  const { total } = await call(productCalls.productsOfCategory, { params: { slug }, query: {} })
  await page.goto(`/category/${slug}`)
  await expect(heading(page)).toHaveText(name)
  await expect(page.getByText(`${total} products found`)).toBeVisible()
  await expect(cards(page)).toHaveCount(Math.min(total, PAGE_SIZE))
})

test(says(
  '/register, /login, /forgot-password | Account pages',
  'Register: form titled REGISTER FORM.',
  'Forgot password: form titled RESET PASSWORD.',
), { tag }, async ({ page }) => {
  await page.goto('/register')
  await expect(page.getByRole('heading', { name: 'REGISTER FORM' })).toBeVisible()
  await page.goto('/login')
  await expect(page.getByRole('main').getByRole('button', { name: 'Login' })).toBeVisible()
  await page.goto('/forgot-password')
  await expect(page.getByRole('heading', { name: 'RESET PASSWORD' })).toBeVisible()
})

test(says(
  '/about, /contact, /policy | Information pages',
  'Contact: image, heading CONTACT US, text saying to call anytime 24x7, a support address {email}, a phone {phone}, and a toll-free number (all placeholder contact data).',
  'About: image plus filler text.',
  "Policy: placeholder lines 'add privacy policy'.",
), { tag }, async ({ page }) => {
  const main = page.getByRole('main')
  const picture = main.locator('img')
  await page.goto('/contact')
  await expect(picture).toHaveAttribute('alt', /\S/)
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).not.toBe(0)
  await expect(heading(page)).toHaveText('CONTACT US')
  for (const text of ['call anytime', '24x7', 'help@example.com', '555-0100', '1800-555-0199'])
    await expect(main).toContainText(text)
  await page.goto('/about')
  await expect(picture).toHaveAttribute('alt', /\S/)
  await expect(main.getByRole('paragraph').first()).toHaveText(/\S{3}/)
  await page.goto('/policy')
  await expect(main.getByText('add privacy policy').first()).toBeVisible()
})

test(says("any other path | Not-found page: 404, 'Oops ! Page Not Found', Go Back link to /"), {
  tag,
}, async ({ page }) => {
  const answer = await page.goto('/any/other/path')
  expect(answer?.status()).toBe(404)
  await expect(page.getByText('404')).toBeVisible()
  await expect(heading(page)).toHaveText('Oops ! Page Not Found')
  await expect(page.getByRole('link', { name: 'Go Back' })).toHaveAttribute('href', '/')
})
