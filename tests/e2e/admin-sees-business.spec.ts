import { createProduct, loseScript, named } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import { sellForMoney } from '#tests/support/purchase.ts'

test("the dashboard shows the day's business", { tag: ['@journey', '@phone'] }, async ({
  page,
  admin,
  customer,
}) => {
  await sellForMoney(customer, await createProduct(admin, named('Cup')))
  const charts: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('sales-chart')) charts.push(request.url())
  })
  await page.goto('/dashboard/admin/orders')
  await expect(page.getByRole('heading', { name: 'All Orders' })).toBeVisible()
  expect(charts, 'the chart comes only where it is shown').toEqual([])

  await page.getByRole('link', { name: 'Admin Page' }).click()
  await expect(page.getByRole('heading', { name: "The day's business" })).toBeVisible()
  const best = page.getByRole('region', { name: 'Best sellers of the last 30 days' })
  // figures are cached for some seconds
  await expect(async () => {
    await page.reload()
    await expect(best.getByRole('link').first()).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 30_000 })
  await expect(page.getByText(/^₹[\d,]+\.\d\d yesterday$/)).toBeVisible()
  const figure = page.getByRole('figure', { name: 'The last 30 days' })
  await expect(figure.locator('svg').first()).toBeVisible()
  // the day under the pointer is shown above the bars, which nothing covers, and stays there
  const [firstDay, lastDay] = [29, 0].map((days) => {
    const day = new Date(Date.now() - days * 86_400_000)
    return day.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
  })
  const chosen = figure.locator('strong')
  await expect(chosen).toHaveText(lastDay ?? '')
  const chart = figure.locator('svg').first()
  // right of the axis, whose width is 48
  await chart.hover({ position: { x: 52, y: 60 } })
  await expect(chosen).toHaveText(firstDay ?? '')
  await expect(figure.locator('.recharts-default-tooltip')).toHaveCount(0)
  await page.mouse.move(0, 0)
  await expect(chosen).toHaveText(firstDay ?? '')
  await figure.getByText('Day by day').click()
  const rows = figure.getByRole('row')
  await expect(rows).toHaveCount(31)
  const today = new Date().toISOString().slice(0, 10)
  await expect(rows.nth(1)).toContainText(today)
  await expect(rows.nth(1)).not.toContainText('₹0.00')
  await expect(best.getByRole('link').first()).toHaveAttribute(
    'href',
    /^\/dashboard\/admin\/product\//,
  )
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(page.viewportSize()?.width)

  const latest = page.getByRole('region', { name: 'Latest orders' }).getByRole('link').first()
  await expect(latest).toHaveText(/\S/)
  await latest.click()
  await expect(page).toHaveURL(/\/dashboard\/admin\/orders\?q=[\da-f-]{36}$/)
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('without the chart there are its figures', async ({ page, admin: _ }) => {
  await loseScript(page, 'sales-chart')
  await page.goto('/dashboard/admin')
  const figure = page.getByRole('figure', { name: 'The last 30 days' })
  await expect(figure).toContainText('The chart could not be loaded.')
  await figure.getByText('Day by day').click()
  await expect(figure.getByRole('row')).toHaveCount(31)
})
