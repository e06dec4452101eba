import { readConfig } from '#server/config.ts'
import { pagePolicyOf } from '#server/headers.ts'
import { expect, test } from '#tests/support/journey.ts'

/** A page of every layout, and the 404 page. */
const PAGES = [
  '/',
  '/categories',
  '/cart',
  '/search?q=lamp',
  '/login',
  '/dashboard/user',
  '/nowhere',
]

test('every page tells which scripts may run, alike for everybody', async ({ request }) => {
  for (const page of PAGES) {
    const first = await request.get(page)
    const second = await request.get(page)
    const policy = first.headers()['content-security-policy']
    expect(policy, page).toMatch(/script-src 'self'( 'sha256-[\w+/]{43}=')+(;|$)/)
    expect(policy, page).not.toContain('razorpay')
    expect(second.headers()['content-security-policy'], page).toBe(policy)
    expect(await second.text(), page).toBe(await first.text())
    expect(await first.text(), page).not.toContain('nonce')
    expect(first.headers(), page).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    })
  }
})

test('a script that somebody smuggled into a page does not run', async ({ browser, address }) => {
  // without the journey fixture, which fails on browser errors: this browser must report one
  const page = await browser.newPage({ baseURL: address })
  const complaint = page.waitForEvent('console', (message) =>
    message.text().includes('Content Security Policy'),
  )
  await page.route('**/about', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('</body>', '<script>hacked = 1</script></body>')
    await route.fulfill({ response: answer, body })
  })
  await page.goto('/about')
  expect((await complaint).text()).toContain('inline script')
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  await page.close()
})

const KEYS = { RAZORPAY_KEY_ID: 'rzp_live_1', RAZORPAY_KEY_SECRET: 'secret' }

/** A link in the frame of the payment dialog, which the buyer presses. */
const FRAME = `<a href="upi://pay?pa=shop@bank">UPI app</a><a href="web+other://pay">Another app</a>`

test('the payment frame may open UPI apps, and no other ones', async ({ browser, address }) => {
  const page = await browser.newPage({ baseURL: address })
  const blocked: string[] = []
  page.on('console', (message) => {
    if (message.text().includes('frame-src')) blocked.push(message.text())
  })
  await page.route('https://api.razorpay.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: FRAME }),
  )
  await page.route('**/about', async (route) => {
    const answer = await route.fetch()
    const policy = pagePolicyOf(readConfig(KEYS))([])
    const headers = { ...answer.headers(), 'content-security-policy': policy }
    const body = '<iframe src="https://api.razorpay.com/v1/checkout"></iframe>'
    await route.fulfill({ headers, contentType: 'text/html', body })
  })
  await page.goto('/about')
  const frame = page.frameLocator('iframe')
  await frame.getByRole('link', { name: 'UPI app' }).click()
  await frame.getByRole('link', { name: 'Another app' }).click()
  await expect.poll(() => blocked).toHaveLength(1)
  await page.close()
})

test('the description of the API opens', async ({ page }) => {
  await page.goto('/api/docs')
  await expect(page.getByText('/api/v1/auth/login').first()).toBeVisible()
})
