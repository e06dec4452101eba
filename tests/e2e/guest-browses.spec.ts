import { expect, test } from '#tests/support/journey.ts'

test('the home page opens', { tag: '@phone' }, async ({ page }) => {
  await page.goto('/')
  await expect(page).toHaveURL('/')
})
