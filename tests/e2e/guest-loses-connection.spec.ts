/** When another choice on a page cannot be loaded, the page and its list stay. */
import type { Page } from '@playwright/test'
import { aCategory } from '#tests/support/demo-catalogue.ts'
import { expect, test } from '#tests/support/journey.ts'

const UNREACHABLE = 'The shop cannot be reached just now. Please try again.'

test.use({ serverFails: true })

const names = (page: Page) => page.getByRole('article').getByRole('heading')
const toast = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

const FAILURES = {
  'Something went wrong': { status: 500, json: { message: 'Something went wrong' } },
  [UNREACHABLE]: { status: 503, body: '' },
  'Too many requests.': { status: 429, json: { message: 'Too many requests.' } },
}

test('a filter of the home page that fails leaves the page as it was', async ({ page, call }) => {
  const { name } = await aCategory(call)
  const box = page.getByRole('checkbox', { name, exact: true })
  await page.goto('/')
  const before = await names(page).allTextContents()
  for (const [said, answer] of Object.entries(FAILURES)) {
    await page.route('**/product/products?*', (route) => route.fulfill(answer))
    await box.click()
    await expect(toast(page, said).first()).toBeVisible()
    await expect(box).not.toBeChecked()
    await expect(page).toHaveURL('/')
    await expect(names(page)).toHaveText(before)
    await expect(
      page.getByRole('link', { name: 'All Categories', includeHidden: true }),
    ).toHaveCount(1)
    await page.unrouteAll()
  }
  await box.click()
  await expect(box).toBeChecked()
  await expect(page).toHaveURL(/category=/)
  await expect(names(page)).not.toHaveText(before)
})

test('a filter loads the products alone', async ({ page, call }) => {
  const { name } = await aCategory(call)
  await page.goto('/')
  await page.route('**/api/v1/settings/**', (route) => route.abort())
  await page.route('**/api/v1/category/**', (route) => route.abort())
  await page.getByRole('checkbox', { name, exact: true }).check()
  await expect(page).toHaveURL(/category=/)
})

test('one filter of several that fails leaves the others', async ({ page, context, call }) => {
  const { _id, name } = await aCategory(call)
  await page.goto(`/?category=${_id}`)
  const before = await names(page).allTextContents()
  // the toast library is fetched on the first user event
  await page.getByRole('heading', { name: 'All Products' }).click()
  await context.setOffline(true)
  const band = page.getByRole('radio', { name: '$20 to 39' })
  await band.click()
  await expect(toast(page, UNREACHABLE).first()).toBeVisible()
  await expect(band).not.toBeChecked()
  await expect(page.getByRole('checkbox', { name, exact: true })).toBeChecked()
  await expect(page).toHaveURL(`/?category=${_id}`)
  await expect(names(page)).toHaveText(before)
  await context.setOffline(false)
  await band.click()
  await expect(page).toHaveURL(/price=/)
  await expect(band).toBeChecked()

  await context.setOffline(true)
  await page.goBack()
  await expect(toast(page, UNREACHABLE).first()).toBeVisible()
  await expect(band).toBeChecked()
  await expect(page).toHaveURL(/price=/)
})

for (const [what, address] of [
  ['a category', (slug: string) => `/category/${slug}`],
  ['a search', () => '/search?q=wool'],
] as const) {
  test(`filter and order of ${what} outlive a lost connection`, async ({
    page,
    context,
    call,
    isMobile,
  }) => {
    const { slug } = await aCategory(call)
    await page.goto(address(slug))
    const before = await names(page).allTextContents()
    const box = page.getByRole('checkbox', { name: 'In stock only' })
    if (isMobile) await page.getByText('Filters', { exact: true }).click()
    else await page.getByRole('heading', { level: 1 }).click()
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Price, low to high' }).click()
    await expect(toast(page, UNREACHABLE).first()).toBeVisible()
    await box.click()
    await expect(toast(page, UNREACHABLE)).not.toHaveCount(1)
    await expect(box).not.toBeChecked()
    await expect(page).toHaveURL(address(slug))
    await expect(names(page)).toHaveText(before)

    await context.setOffline(false)
    await box.click()
    await expect(page).toHaveURL(/stock=in/)
    await expect(box).toBeChecked()
    await page.getByRole('link', { name: 'Price, low to high' }).click()
    await expect(page).toHaveURL(/stock=in&sort=price-up/)
  })
}

test('Load More that fails says so, and can be pressed again', { tag: '@journey' }, async ({
  page,
}) => {
  await page.goto('/')
  const before = await names(page).allTextContents()
  await page.route('**/product/products?page=2', (route) =>
    route.fulfill({ status: 503, body: '' }),
  )
  const more = page.getByRole('button', { name: 'Load More' })
  await more.click()
  await expect(toast(page, UNREACHABLE).first()).toBeVisible()
  await expect(names(page)).toHaveText(before)
  await page.unrouteAll()
  await more.click()
  await expect(names(page)).not.toHaveCount(before.length)
})

test('a page that was never loaded has nothing to show', async ({ page, context }) => {
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click()
  await expect(page).toHaveURL('/about')
  await context.setOffline(true)
  await page.getByRole('link', { name: 'Home' }).first().click()
  await expect(page.getByRole('heading', { name: UNREACHABLE })).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'All Products' })).toBeVisible()
})
