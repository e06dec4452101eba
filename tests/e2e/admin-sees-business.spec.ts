import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, keepSession, test } from '#tests/support/journey.ts'
import { buy, sellForMoney } from '#tests/support/purchase.ts'

const HOME = '/dashboard/admin'

test('home shows the figures of a period, compared with the time before', {
  tag: ['@journey', '@phone'],
}, async ({ page, admin, customer }) => {
  await sellForMoney(customer, await createProduct(admin, named('Cup')))
  await page.goto(HOME)
  const best = page.getByRole('region', { name: 'Best sellers' })
  // figures are cached for some seconds
  await expect(async () => {
    await page.reload()
    await expect(best.getByRole('link').first()).toBeVisible({ timeout: 2000 })
  }).toPass({ timeout: 30_000 })
  const sales = page.getByRole('region', { name: 'Sales' })
  await sales.getByText('Day by day').click()
  const rows = sales.getByRole('row')
  await expect(rows).toHaveCount(31)
  const today = new Date().toISOString().slice(0, 10)
  await expect(rows.nth(1)).toContainText(today)
  await expect(rows.nth(1)).not.toContainText('$0.00')

  await expect(page.getByText('in the 30 days before').first()).toBeVisible()
  await expect(page.getByRole('link', { name: /^[\d,]+ orders? to send$/ })).toBeVisible()

  // each number leads to what it counts
  const total = page.getByRole('definition').filter({ hasText: '$' }).first().getByRole('link')
  const from = new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10)
  await expect(total).toHaveAttribute('href', `${HOME}/orders?from=${from}&to=${today}`)
  await expect(page.getByRole('link', { name: 'Today' })).not.toHaveAttribute('aria-current')
  await page.getByRole('link', { name: 'Today' }).click()
  await expect(page).toHaveURL(`${HOME}?period=today`)
  await expect(page.getByRole('link', { name: 'Today' })).toHaveAttribute('aria-current', 'page')
  await expect(total).toHaveAttribute('href', `${HOME}/orders?from=${today}&to=${today}`)
  await page.getByLabel('From').fill('2001-01-01')
  await page.getByLabel('To').fill('2001-01-02')
  await expect(page).toHaveURL(`${HOME}?period=today&from=2001-01-01&to=2001-01-02`)
  await expect(page.getByText('No sales in this period.')).toBeVisible()
  await expect(rows).toHaveCount(3)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(page.viewportSize()?.width)

  const latest = page.getByRole('region', { name: 'Latest orders' }).getByRole('link').first()
  await expect(latest).toHaveText(/\S/)
  await expect(page.getByRole('region', { name: 'Latest orders' })).toContainText('Not Process')
  await expect(page.getByRole('region', { name: admin.user.name })).toContainText(admin.email)
})

test('the pointer chooses the day whose figures are above the chart', async ({
  page,
  admin: _,
}) => {
  await page.goto(HOME)
  const sales = page.getByRole('region', { name: 'Sales' })
  const [firstDay, lastDay] = [29, 0].map((days) => {
    const day = new Date(Date.now() - days * 86_400_000)
    return day.toLocaleDateString('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' })
  })
  const chosen = sales.locator('strong')
  await expect(chosen).toHaveText(lastDay ?? '')
  const chart = sales.locator('[aria-hidden=true]').first()
  await chart.hover({ position: { x: 2, y: 100 } })
  await expect(chosen).toHaveText(firstDay ?? '')
  await page.mouse.move(0, 0)
  await expect(chosen).toHaveText(firstDay ?? '')
})

test('times are those of the shop, and not of the browser', async ({
  browser,
  admin,
  customer,
  address,
}) => {
  await buy(customer, [await createProduct(admin, named('Cup'))])
  const context = await browser.newContext({ baseURL: address, timezoneId: 'Pacific/Auckland' })
  await keepSession(context, address, admin)
  const page = await context.newPage()
  await page.goto(`${HOME}/outbox?q=${customer.email}`)
  const time = page.locator('time').first()
  const at = new Date((await time.getAttribute('datetime')) ?? '')
  await expect(time).toHaveText(
    at.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
  )
})
