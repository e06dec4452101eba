/** The head of a page while a visitor goes from page to page. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '#tests/support/journey.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'

/** On this machine, so that the shop may have its demo. */
const SHOP_URL = 'http://localhost:8080'

const canonicals = (page: Page) =>
  page
    .locator('link[rel=canonical]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')))

test('title, address and indexing follow a visitor through the shop', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'haat-head-'))
  const shop = await startShopProcess({
    DATA_DIR: folder,
    DEMO: 'on',
    SHOP_URL,
    SANDBOX_SECRET: 's',
  })
  try {
    await page.goto(shop.address)
    expect(await canonicals(page)).toEqual([`${SHOP_URL}/`])

    await page.getByRole('article').getByRole('link', { name: 'Details' }).first().click()
    await expect(page).toHaveURL(/\/product\//)
    const name = await page.getByRole('heading', { level: 1 }).textContent()
    await expect(page).toHaveTitle(`${name} · Haat`)
    const { pathname } = new URL(page.url())
    await expect.poll(() => canonicals(page)).toEqual([SHOP_URL + pathname])

    await page.goto(`${shop.address}/search?q=lamp`)
    await page.getByRole('link', { name: 'Newest' }).click()
    await expect(page).toHaveURL(/sort=newest/)
    await expect.poll(() => canonicals(page)).toEqual([`${SHOP_URL}/search?q=lamp`])
    const robots = page.locator('meta[name=robots]')
    await expect(robots).toHaveAttribute('content', 'noindex, follow')

    await page.getByRole('link', { name: 'About' }).click()
    await expect(page).toHaveTitle('About us · Haat')
    await expect(robots).toHaveCount(0)
  } finally {
    await shop.stop()
    await rm(folder, { recursive: true })
  }
})
