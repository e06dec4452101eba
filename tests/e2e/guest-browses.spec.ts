import type { Page } from '@playwright/test'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { PAGE_SIZE, productCalls } from '#app/products/contract.ts'
import { searchCalls } from '#app/products/search-contract.ts'
import type { Call } from '#app/shared/web/call.ts'
import { aCategory, categoriesOf, demoProducts } from '#tests/support/demo-catalogue.ts'
import { expect, test } from '#tests/support/journey.ts'

const PRICE_BANDS = [0, 20, 40, 60, 80]
  .map((low) => ({ label: `$${low} to ${low + 19}`, range: [low, low + 19] }))
  .concat({ label: '$100 or more', range: [100, 9999] })

const cards = (page: Page) => page.getByRole('article')
const categoryBox = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })

const listed = (call: Call, page: number) =>
  call(productCalls.listProducts, { params: { page: page } })

test('the page is there before any script runs', { tag: '@journey' }, async ({ request, call }) => {
  const products = await demoProducts(call)
  const { _id } = await aCategory(call)
  const html = await (await request.get(`/?category=${_id}`)).text()
  for (const { slug } of products) expect(html).toContain(`/product/${encodeURIComponent(slug)}`)
})

test('a page can be asked for without its body', async ({ request }) => {
  for (const [path, status] of [
    ['/', 200],
    ['/nope', 404],
  ] as const) {
    expect((await request.head(path)).status()).toBe(status)
  }
})

test('slashes in front of an address name no other host', async ({ request, baseURL }) => {
  expect((await request.get(`${baseURL}//`)).status()).toBe(200)
  expect((await request.get(`${baseURL}//evil.example/about`)).status()).toBe(404)
})

test('home shows the newest products, and Load More the next', {
  tag: ['@journey', '@phone'],
}, async ({ page, call }) => {
  // another journey may add a product meanwhile
  await expect(async () => {
    const pages = await Promise.all([listed(call, 1), listed(call, 2)])
    const expected = pages.flatMap(({ products }) => products.map(({ name }) => name))
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'All Products' })).toBeVisible()
    await expect(cards(page)).toHaveCount(PAGE_SIZE)
    await page.getByRole('button', { name: 'Load More' }).click()
    const names = cards(page).getByRole('heading')
    await expect(names).toHaveText(expected, { timeout: 5000 })
  }).toPass()
})

test('Load More goes when there are no more pages, whatever moved meanwhile', async ({
  page,
  call,
}) => {
  const first = await listed(call, 1)
  const moved = { ...first, products: first.products.slice(-1), total: PAGE_SIZE + 1 }
  await page.route('**/product/products?page=2', (route) => route.fulfill({ json: moved }))
  await page.goto('/')
  await page.getByRole('button', { name: 'Load More' }).click()
  await expect(page.getByRole('button', { name: 'Load More' })).toHaveCount(0)
  await expect(cards(page)).toHaveCount(PAGE_SIZE)
})

test('arriving at a page moves the focus to its heading, a filter does not', async ({
  page,
  call,
}) => {
  const { name } = await aCategory(call)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).not.toBeFocused()
  await categoryBox(page, name).check()
  await expect(page).toHaveURL(/category=/)
  await expect(categoryBox(page, name)).toBeFocused()
  await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click()
  await expect(page).toHaveURL('/about')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'All Products' })).toBeFocused()
})

test('a card cuts the description at 40 characters', async ({ page, call }) => {
  // other journeys' products may come first on the unfiltered home page
  const { _id, name } = await aCategory(call)
  const long = (await demoProducts(call)).find(({ description }) => description.length > 50)
  const card = cards(page).filter({ hasText: long?.name ?? name })
  await page.goto(`/?category=${_id}`)
  await expect(card).toContainText(`${long?.description.slice(0, 40)}...`)
})

test('filters by category and price, page by page, and clears them', { tag: '@journey' }, async ({
  page,
  call,
}) => {
  const { _id, name } = await aCategory(call)
  const filtered = await call(productCalls.filterProducts, { body: { checked: [_id], radio: [] } })
  await page.goto('/')
  await categoryBox(page, name).check()
  await expect(cards(page).getByRole('heading')).toHaveText(filtered.products.map((p) => p.name))
  await expect(page.getByRole('button', { name: 'Load More' })).toHaveCount(
    filtered.total > PAGE_SIZE ? 1 : 0,
  )
  const answer = page.waitForResponse('**/product/products?page=1')
  await categoryBox(page, name).uncheck()
  const { products } = await (await answer).json()
  const names = products.map((product: { name: string }) => product.name)
  await expect(cards(page).getByRole('heading')).toHaveText(names)
})

test('every price band can be chosen by itself and shows what it says', async ({ page, call }) => {
  await page.goto('/')
  for (const { label, range } of PRICE_BANDS) {
    const { products } = await call(productCalls.filterProducts, {
      body: { checked: [], radio: [...range] },
    })
    await page.getByRole('radio', { name: label, exact: true }).check()
    await expect(cards(page).getByRole('heading')).toHaveText(products.map((p) => p.name))
    await expect(page.getByRole('radio', { checked: true })).toHaveCount(1)
  }
  const loads: string[] = []
  page.on('request', (request) => request.isNavigationRequest() && loads.push(request.url()))
  await page.getByRole('button', { name: 'Reset Filters' }).click()
  await expect(cards(page)).toHaveCount(PAGE_SIZE)
  await expect(page.getByRole('radio', { checked: true })).toHaveCount(0)
  expect(loads).toHaveLength(1)
})

test('the carousel has three slides and goes round', async ({ page }) => {
  await page.goto('/')
  const carousel = page.getByRole('region', { name: 'Highlights' })
  const slides = carousel.getByRole('listitem')
  await expect(slides).toHaveCount(3)
  for (const [control, shown] of [
    ['Next', 1],
    ['Previous', 0],
    ['Previous', 2],
    ['Next', 0],
  ] as const) {
    await carousel.getByRole('button', { name: control }).click()
    await expect(slides.nth(shown)).toBeInViewport({ ratio: 0.95 })
  }
})

test('a product has its page, and others like it', { tag: ['@journey', '@phone'] }, async ({
  page,
  call,
}) => {
  const [first] = await demoProducts(call)
  if (!first) throw new Error('The shop has no products.')
  const { product } = await call(productCalls.getProduct, { params: { slug: first.slug } })
  const { products: similar } = await call(productCalls.relatedProducts, {
    params: { productId: product._id, categoryId: product.category._id },
  })
  await page.goto(`/?category=${product.category._id}`)
  await cards(page).first().getByRole('link', { name: 'Details' }).click()
  await expect(page.getByRole('heading', { level: 1, name: product.name })).toBeVisible()
  await expect(page).toHaveURL(`/product/${encodeURIComponent(product.slug)}`)
  await expect(page.getByText(product.description)).toBeVisible()
  await expect(page.getByRole('button', { name: 'ADD TO CART', exact: true })).toBeVisible()
  const others = cards(page).getByRole('heading', { level: 3 })
  await expect(others).toHaveText(similar.map(({ name }) => name))
})

test('all categories lead to their products, with a count', { tag: '@journey' }, async ({
  page,
  call,
}) => {
  const categories = await categoriesOf(call)
  const category = await aCategory(call)
  const { total } = await call(productCalls.productsOfCategory, {
    params: { slug: category.slug },
    query: {},
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Categories' }).click()
  await page.getByRole('link', { name: 'All Categories' }).click()
  const tiles = page.getByRole('main').getByRole('link')
  await expect(tiles).toHaveText(categories.map(({ name }) => name))
  await tiles.filter({ hasText: category.name }).click()
  await expect(page.getByRole('heading', { level: 1, name: category.name })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(`${total} product`)
})

test('an unknown address is 404 and leads back', { tag: '@journey' }, async ({ page }) => {
  for (const path of [
    '/nothing/here',
    '/product/none-such',
    '/category/none-such',
    '/%E0%A4%A',
    '/product/%ff',
  ]) {
    const answer = await page.goto(path)
    expect(answer?.status(), path).toBe(404)
    await expect(page.getByRole('main')).toContainText('Oops ! Page Not Found')
    await page.getByRole('link', { name: 'Go Back' }).click()
    await expect(page).toHaveURL('/')
  }
})

test('an address that the shop refuses says why', async ({ page, call }) => {
  const refusal = await call(searchCalls.searchProducts, {
    params: { keyword: '\0' },
    query: {},
  }).catch((error: Error) => error.message)
  const answer = await page.goto('/search?q=%00')
  expect(answer?.status()).toBe(400)
  await expect(page.getByRole('main').getByRole('heading')).toHaveText(String(refusal))
})

test('unknown and invalid parameters are ignored', async ({ request }) => {
  for (const address of ['/?category=x', '/?utm_source=letter', '/?page=0&price=none']) {
    const answer = await request.get(address)
    expect(answer.status(), address).toBe(200)
    expect((await answer.text()).match(/<article/g), address).toHaveLength(PAGE_SIZE)
  }
})

test('a phone folds the filters away and says how many are set', async ({ page, call }) => {
  const { name } = await aCategory(call)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await expect(categoryBox(page, name)).toBeHidden()
  await page.getByText('Filters', { exact: true }).click()
  await categoryBox(page, name).check()
  const last = page.getByRole('radio', { name: PRICE_BANDS.at(-1)?.label })
  await last.scrollIntoViewIfNeeded()
  await expect(last).toBeInViewport({ ratio: 1 })
  await last.check()
  await page.getByText('Filters (2)').click()
  await expect(last).toBeHidden()
})

test('the shop is one page: moving about loads no other', { tag: '@journey' }, async ({ page }) => {
  await page.goto('/')
  const loads: string[] = []
  page.on('request', (request) => request.isNavigationRequest() && loads.push(request.url()))
  for (const name of ['About', 'Contact', 'Policy']) {
    await page.getByRole('contentinfo').getByRole('link', { name }).click()
    await expect(page).toHaveURL(`/${name.toLowerCase()}`)
  }
  await expect(page.getByRole('main')).toContainText('add privacy policy')
  expect(loads).toEqual([])
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('browsing, categories, product pages and search still work', { tag: '@journey' }, async ({
    page,
    call,
  }) => {
    const category = await aCategory(call)
    const [product] = await demoProducts(call)
    await page.goto('/')
    await expect(cards(page)).toHaveCount(PAGE_SIZE)
    await page.goto(`/?category=${category._id}`)
    await cards(page).first().getByRole('link', { name: 'Details' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(product?.name ?? '')
    await page.goto('/categories')
    await page.getByRole('main').getByRole('link', { name: category.name }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(category.name)
    await page.getByPlaceholder('Search').fill(product?.name ?? '')
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page.getByText(/^Found \d+$/)).toBeVisible()
  })

  test('pages with stored data say that they need JavaScript', async ({ page }) => {
    for (const path of ['/cart', '/dashboard/user', '/dashboard/user/orders']) {
      await page.goto(path)
      // Playwright reads no text inside a noscript, though the browser shows it
      const note = page.locator('noscript > p')
      await expect(note).toBeVisible()
      await expect(note).toContainText('This page needs JavaScript.')
      await expect(page.getByText(/Loading|Checking/)).toBeHidden()
    }
  })

  test('filters on a phone', async ({ page, call }) => {
    const { name } = await aCategory(call)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/')
    await page.getByText('Filters', { exact: true }).click()
    await categoryBox(page, name).check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page.getByText('Filters (1)')).toBeVisible()
  })
})

test('a long name of a category stays in the filters', async ({ page, admin }) => {
  const name = `${'Donaudampfschiff'.repeat(5)} ${crypto.randomUUID().slice(0, 8)}`
  await admin.call(categoryAdminCalls.createCategory, { body: { name } })
  await page.goto('/')
  const label = await page.locator('label', { hasText: name }).boundingBox()
  const products = await page.getByRole('heading', { name: 'All Products' }).boundingBox()
  expect((label?.x ?? 0) + (label?.width ?? 0)).toBeLessThan(products?.x ?? 0)
})
