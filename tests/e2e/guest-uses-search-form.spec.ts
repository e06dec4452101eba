import type { Page } from '@playwright/test'
import { demoProducts } from '#tests/support/demo-catalogue.ts'
import { expect, test } from '#tests/support/journey.ts'

const cards = (page: Page) => page.getByRole('article')

test('search finds, by an address that can be shared', async ({ page, call }) => {
  const [product] = await demoProducts(call)
  const keyword = product?.name ?? ''
  await page.goto('/')
  await page.getByPlaceholder('Search').fill(keyword)
  await page.getByPlaceholder('Search').press('Enter')
  await expect(page.getByText(/^Found \d+$/)).toBeVisible()
  await expect(cards(page).first().getByRole('heading')).toHaveText(keyword)
  await page.reload()
  await expect(cards(page).first().getByRole('heading')).toHaveText(keyword)
})

test('a search may hold any characters', async ({ page }) => {
  await page.goto('/')
  for (const keyword of ['%', "a ' & <b>", '🪔/..', '']) {
    await page.getByPlaceholder('Search').fill(keyword)
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await expect(page).toHaveURL(`/search?${new URLSearchParams({ q: keyword })}`)
    await expect(page.getByText(/^(No Products Found|Found \d+)$/)).toBeVisible()
  }
})
