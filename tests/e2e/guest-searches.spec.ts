/** Searching: filters, sorting, typos and suggestions. */
import type { Page } from '@playwright/test'
import { searchCalls } from '#app/products/search-contract.ts'
import { expect, test } from '#tests/support/journey.ts'

const cards = (page: Page) => page.getByRole('article')
const names = (page: Page) => cards(page).getByRole('heading', { level: 2 })
const field = (page: Page) => page.getByPlaceholder('Search')
const options = (page: Page) =>
  page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')

test('filters narrow what was found, count what they leave, and stand in the address', {
  tag: '@journey',
}, async ({ page, call }) => {
  const all = await call(searchCalls.searchShop, { query: { keyword: 'wool' } })
  const [category] = all.facets.categories
  if (!category) throw new Error('The demo sells no wool.')
  await page.goto('/search?q=wool')
  await expect(page.getByText(`Found ${all.total}`, { exact: true })).toBeVisible()
  await page.getByRole('checkbox', { name: `${category.name} ${category.count}` }).check()
  await expect(page).toHaveURL(/category=/)
  await expect(page.getByText(`Found ${category.count}`, { exact: true })).toBeVisible()
  await expect(cards(page)).toHaveCount(category.count)
  await page.getByRole('link', { name: 'Price, low to high' }).click()
  const sorted = await call(searchCalls.searchShop, {
    query: { keyword: 'wool', category: category._id, sort: 'price-up' },
  })
  await expect(names(page)).toHaveText(sorted.products.map(({ name }) => name))
  await page.reload()
  await expect(names(page)).toHaveText(sorted.products.map(({ name }) => name))
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await expect(page.getByText(`Found ${all.total}`, { exact: true })).toBeVisible()
})

test('a misspelt word is understood, and said', { tag: '@journey' }, async ({ page }) => {
  await page.goto('/search?q=cofee+mug')
  await expect(names(page).first()).toHaveText(/Coffee Mug/)
  await page.getByRole('link', { name: 'coffee mug' }).click()
  await expect(page).toHaveURL('/search?q=coffee+mug')
  await expect(names(page).first()).toHaveText(/Coffee Mug/)
  await expect(page.getByText('Did you mean')).toBeHidden()
})

test('suggestions stand below their field, also below the banner of test payments', {
  tag: ['@journey', '@phone'],
}, async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('complementary', { name: 'Test payments' })).toBeVisible()
  await field(page).pressSequentially('wirel')
  await expect(options(page).first()).toBeVisible()
  const [box, list] = await Promise.all([
    field(page).boundingBox(),
    page.getByRole('listbox', { name: 'Suggestions' }).boundingBox(),
  ])
  expect(list?.y).toBeGreaterThanOrEqual((box?.y ?? 0) + (box?.height ?? 0))
})

test('suggestions are walked through by keys', async ({ page }) => {
  await page.goto('/')
  await field(page).pressSequentially('wirel')
  await expect(options(page).first()).toBeVisible()
  await expect(field(page)).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByText(/^\d+ suggestions$/)).toBeAttached()
  await field(page).press('Escape')
  await expect(options(page).first()).toBeHidden()
  await expect(field(page)).toHaveValue('wirel')
  await field(page).press('ArrowDown')
  await field(page).press('ArrowDown')
  const present = page
    .getByRole('listbox', { name: 'Suggestions' })
    .getByRole('option', { selected: true })
  await expect(present).toHaveText('wireless')
  await expect(field(page)).toHaveAttribute('aria-activedescendant', /.+/)
  await field(page).press('Enter')
  await expect(page).toHaveURL('/search?q=wireless')
  await expect(options(page).first()).toBeHidden()
})

test('a suggestion leads to its product', { tag: '@journey' }, async ({ page }) => {
  await page.goto('/')
  await field(page).pressSequentially('teapo')
  const option = options(page).filter({ hasText: 'Anjali Enamel Teapot' })
  await option.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Anjali Enamel Teapot')
})

test('a suggestion is taken by a whole click of the first button, or of a script', async ({
  page,
}) => {
  await page.goto('/')
  await field(page).pressSequentially('teapo')
  const option = options(page).filter({ hasText: 'Anjali Enamel Teapot' })
  await option.click({ button: 'right' })
  await option.click({ button: 'middle' })
  await field(page).hover()
  await page.mouse.down()
  await option.hover()
  await page.mouse.up()
  await expect(page).toHaveURL('/')
  await expect(option).toBeVisible()
  await option.evaluate((entry: HTMLElement) => entry.click())
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Anjali Enamel Teapot')
})

test('text typed on another page gets no suggestions', async ({ page }) => {
  await page.goto('/')
  await field(page).pressSequentially('wirel')
  await options(page).getByText('wireless', { exact: true }).click()
  await expect(page).toHaveURL('/search?q=wireless')
  const asked = page.waitForRequest('**/product/suggest?q=wireless')
  await field(page).press('ArrowDown')
  await asked
  await expect(options(page).first()).toHaveText(/^wireless ./)
  await page.getByRole('link', { name: 'Home' }).first().click()
  await field(page).press('ArrowDown')
  await field(page).press('ArrowDown')
  await expect(page.getByRole('listbox', { name: 'Suggestions' })).toBeHidden()
})

test('a late answer is given up, and Enter searches for what is typed', async ({ page }) => {
  await page.goto('/')
  await page.route('**/product/suggest?q=guit', () => {})
  await field(page).pressSequentially('guit', { delay: 10 })
  const given = page.waitForEvent('requestfailed', (request) => request.url().endsWith('q=guit'))
  await page.waitForRequest('**/product/suggest?q=guit')
  await field(page).pressSequentially('ar')
  await given
  await expect(options(page).first()).toBeVisible()
  await field(page).press('Enter')
  await expect(page).toHaveURL('/search?q=guitar')
})

test('the home page loads the suggestions only for whoever searches', async ({ page }) => {
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(request.url()))
  await page.goto('/', { waitUntil: 'networkidle' })
  expect(scripts.filter((url) => url.includes('suggestions'))).toEqual([])
  await field(page).focus()
  await expect.poll(() => scripts.some((url) => url.includes('suggestions'))).toBe(true)
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('filters and order work by the address', async ({ page }) => {
    await page.goto('/search?q=wool')
    await page.getByLabel('In stock only').check()
    await page.getByRole('button', { name: 'Apply' }).click()
    await expect(page).toHaveURL(/stock=in/)
    await page.getByRole('link', { name: 'Newest' }).click()
    await expect(page).toHaveURL(/stock=in&sort=newest/)
    await expect(page.getByText(/^Found \d+$/)).toBeVisible()
  })
})

test('a word that is only in the name of a category leads there', async ({ page }) => {
  await page.goto('/search?q=kitchen')
  await page.getByRole('list', { name: 'Categories' }).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/category\/[\w-]*kitchen/)
  await expect(page.getByRole('article').first()).toBeVisible()
})

test('an address in the middle of what was found leads back to its start', async ({ page }) => {
  await page.goto('/search?q=red&page=2')
  await page.getByRole('link', { name: 'Back to the first page' }).click()
  await expect(page).toHaveURL('/search?q=red')
  await expect(page.getByRole('article').first()).toBeVisible()
})
