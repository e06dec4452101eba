/**
 * Every page conforms to WCAG 2.2 A and AA as far as axe can test it, and fits a window of 320 px.
 */
import { expectAccessible } from '#tests/support/accessibility.ts'
import { BACK_OFFICE } from '#tests/support/back-office-states.ts'
import { expect, test as journey, keepSession } from '#tests/support/journey.ts'
import { createLongNames, type Fixtures } from '#tests/support/long-names.ts'
import { STOREFRONT } from '#tests/support/storefront-states.ts'

const test = journey.extend<object, { shop: Fixtures }>({
  shop: [
    async ({ browserName: _ }, use) => use(await createLongNames(process.env.SHOP_ADDRESS ?? '')),
    { scope: 'worker' },
  ],
})

const PAGES = { ...STOREFRONT, ...BACK_OFFICE }

for (const [
  pattern,
  { as, at = () => pattern, heading, states = {}, late = [], except },
] of Object.entries(PAGES)) {
  test(`${pattern} is accessible`, async ({ page, context, address, shop }) => {
    test.slow()
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    if (as) await keepSession(context, address, shop[as])
    await page.goto(at(shop))
    const name = typeof heading === 'function' ? heading(shop) : heading
    await expect(page.getByRole('heading', { name }).first()).toBeVisible()
    await expectAccessible(page, pattern)
    for (const [state, enter] of Object.entries(states)) {
      await enter(page, shop)
      await expectAccessible(page, `${pattern} with ${state}`, except)
    }
    for (const file of late)
      expect(
        loaded.some((url) => url.includes(`/assets/${file}-`)),
        file,
      ).toBe(true)
  })
}
