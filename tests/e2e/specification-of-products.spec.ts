/** The specification, sentence by sentence: lists and pages of products (specification.spec.ts). */
import type { Page } from '@playwright/test'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { PAGE_SIZE, productCalls, productPath } from '#app/products/contract.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { createCategory, named } from '#tests/support/back-office.ts'
import { productsInStock, store } from '#tests/support/cart.ts'
import { aCategory, categoriesOf } from '#tests/support/demo-catalogue.ts'
import { expect, logIn, test } from '#tests/support/journey.ts'
import { buy } from '#tests/support/purchase.ts'
import { says } from '#tests/support/specification.ts'

const tag = ['@journey', '@specification']

const cards = (page: Page) => page.getByRole('article')
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** Opens the filters, which a phone shows collapsed. */
async function openFilters(page: Page) {
  const summary = page
    .getByRole('form', { name: 'Filters' })
    .locator('details:not([open]) > summary')
  if (await summary.isVisible()) await summary.click()
}

/** The first so many characters of a text, and dots where it is longer. */
const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length)}...` : text

test(says(
  'Left filter panel: Filter By Category (checkboxes), Filter By Price (radio group), a Reset Filters button that reloads the page.',
  'When any category or price filter is chosen, the list is replaced by the filter result.',
  'When all filters are cleared, the plain list is reloaded.',
  'Price range top: 9999.',
), { tag }, async ({ page, call }) => {
  const { _id, name } = await aCategory(call)
  await page.goto('/')
  await openFilters(page)
  const filters = page.getByRole('form', { name: 'Filters' })
  await filters
    .getByRole('group', { name: 'Filter By Category' })
    .getByRole('checkbox', { name, exact: true })
    .check()
  await expect(page).toHaveURL(new RegExp(_id))
  const { total } = await call(productCalls.filterProducts, { body: { checked: [_id] } })
  await expect(cards(page)).toHaveCount(Math.min(total, PAGE_SIZE))
  await openFilters(page)
  const prices = filters.getByRole('group', { name: 'Filter By Price' })
  await prices.getByRole('radio', { name: '$100 or more' }).check()
  await expect(page).toHaveURL(/price=100-9999/)
  await openFilters(page)
  const loaded = page.waitForEvent('load')
  await filters.getByRole('button', { name: 'Reset Filters' }).click()
  await loaded
  await expect(page).toHaveURL('/')
  await expect(cards(page)).toHaveCount(PAGE_SIZE)
  await openFilters(page)
  const box = filters.getByRole('checkbox', { name, exact: true })
  await box.check()
  await expect(page).toHaveURL(/category=/)
  await openFilters(page)
  await box.uncheck()
  await expect(page).toHaveURL('/')
  await expect(cards(page)).toHaveCount(PAGE_SIZE)
})

test(says(
  'Each card: photo (height 200), name, first 40 characters of the description followed by dots, price with a dollar sign, a Details button to /product/{slug}, an Add to Cart button.',
  'Photo height: 200 in lists, 400 on detail.',
), { tag }, async ({ page, call }) => {
  await page.goto('/?page=2')
  const { products } = await call(productCalls.listProducts, { params: { page: 2 } })
  const product = products.find(({ quantity }) => quantity > 0)
  if (!product) throw new Error('Everything is sold out.')
  const card = cards(page).filter({
    has: page.getByRole('heading', { name: product.name, exact: true }),
  })
  await expect(card.getByRole('img', { includeHidden: true }).first()).toHaveCSS('height', '200px')
  await expect(card).toContainText(cut(product.description, 40))
  await expect(card).toContainText(`$${product.price.toFixed(2)}`)
  await expect(card.getByRole('link', { name: 'Details' })).toHaveAttribute(
    'href',
    productPath(product),
  )
  await expect(card.getByRole('button', { name: 'Add to Cart' })).toBeVisible()
  await page.goto(productPath(product))
  await expect(page.getByRole('main').getByRole('img').first()).toHaveCSS('height', '400px')
})

test(says(
  'A Load More button is shown while fewer products are loaded than the total.',
  'A spinner shows while loading.',
  'Home listing: the initial load fetches categories, the total count and page 1.',
  'Raising the page number above 1 appends the next page.',
), { tag }, async ({ page }) => {
  await page.goto('/')
  const more = page.getByRole('button', { name: 'Load More' })
  await expect(cards(page)).toHaveCount(PAGE_SIZE)
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/product/products?page=2', async (route) => {
    await promise
    await route.continue()
  })
  await more.click()
  await expect(page.getByRole('button', { name: 'Loading ...' }).locator('.loading')).toBeVisible()
  resolve()
  await expect(cards(page)).toHaveCount(2 * PAGE_SIZE)
  while (await more.isVisible()) {
    const before = await cards(page).count()
    await more.click()
    await expect.poll(() => cards(page).count()).toBeGreaterThan(before)
    await expect(page.getByRole('button', { name: 'Loading ...' })).toHaveCount(0)
  }
  expect(await cards(page).count()).toBeGreaterThan(2 * PAGE_SIZE)
})

test(says('Photo (height 400), name, description, price, category, ADD TO CART.'), { tag }, async ({
  page,
  call,
}) => {
  const [product] = await productsInStock(call, 1)
  if (!product) throw new Error('no product')
  const { name } = (await categoriesOf(call)).find(({ _id }) => _id === product.category) ?? {
    name: '',
  }
  await page.goto(productPath(product))
  const main = page.getByRole('main')
  await expect(main.getByRole('img').first()).toHaveCSS('height', '400px')
  await expect(heading(page)).toHaveText(product.name)
  for (const text of [product.description, `$${product.price.toFixed(2)}`, name])
    await expect(main).toContainText(text)
  await expect(main.getByRole('button', { name: 'ADD TO CART', exact: true })).toBeVisible()
})

test(says(
  'Descriptions are cut at 30 characters.',
  'Description cut: 40 characters on home cards, 30 in orders, search, category and related lists, 50 in the cart, 80 in the admin grid.',
), { tag }, async ({ page, address, customer }) => {
  const admin = await logIn(address, DEMO_ADMIN)
  const text =
    'Holds a quarter of a litre of tea, and keeps it warm for more than one hour. It is green.'
  const { _id, slug } = await createCategory(admin, named('Cups'))
  const name = named('Kettle')
  const body = {
    name,
    description: text,
    price: 12,
    quantity: 9,
    category: _id,
    shipping: 0 as const,
  }
  const { products: kettle } = await admin.call(productAdminCalls.createProduct, { body })
  const { products: pot } = await admin.call(productAdminCalls.createProduct, {
    body: { ...body, name: named('Pot') },
  })
  const shown = (length: number) =>
    page.getByText(`${text.slice(0, length)}...`, { exact: true }).first()
  for (const [path, length] of [
    [`/?category=${_id}`, 40],
    [`/search?q=${encodeURIComponent(name)}`, 30],
    [`/category/${slug}`, 30],
    [productPath(pot), 30],
  ] as const) {
    await page.goto(path)
    await expect(shown(length)).toBeVisible()
  }
  await buy(customer, [kettle])
  await store(page, 'cart', [kettle])
  await page.goto('/cart')
  await expect(shown(50)).toBeVisible()
  await store(page, 'auth', { user: customer.user, token: customer.token })
  await page.goto('/dashboard/user/orders')
  await expect(shown(30)).toBeVisible()
  await store(page, 'auth', { user: admin.user, token: admin.token })
  await page.goto(`/dashboard/admin/products?q=${encodeURIComponent(name)}`)
  await expect(page.getByText(`${text.slice(0, 80)}...`).first()).toBeAttached()
})
