/** Lists are narrowed by the options of their products. */
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { expect, logIn, test } from '#tests/support/journey.ts'
import { createShirt } from '#tests/support/shirt.ts'

test('a visitor finds a shirt by colour and size, and takes a choice back', {
  tag: ['@journey', '@phone'],
}, async ({ page, address, isMobile }) => {
  const shirt = await createShirt(await logIn(address, DEMO_ADMIN))
  const facet = (value: string) => page.getByRole('checkbox', { name: new RegExp(`^${value} \\d`) })
  const chosen = page.getByRole('list', { name: 'Chosen' }).getByRole('link')
  const product = page.getByRole('article').filter({ hasText: shirt.name })
  await page.goto(`/search?q=${encodeURIComponent(shirt.name)}`)
  if (isMobile) await page.getByText('Filters', { exact: true }).click()
  await expect(facet('Red')).toBeVisible()
  await facet('Blue').check()
  await expect(page).toHaveURL(/&f=colour%3Ablue$/)
  await expect(chosen).toHaveText(['Remove Colour: Blue×'])
  await expect(product).toBeVisible()

  await facet('M').check()
  await expect(chosen).toHaveText(['Remove Colour: Blue×', 'Remove Size: M×'])
  await expect(product).toBeVisible()

  await chosen.first().click()
  await expect(page).toHaveURL(/&f=size%3Am$/)
  await expect(facet('Blue')).not.toBeChecked()
  await page.goBack()
  await expect(chosen).toHaveCount(2)
  await expect(facet('Blue')).toBeChecked()
  await expectAccessible(page, 'chosen options')
})
