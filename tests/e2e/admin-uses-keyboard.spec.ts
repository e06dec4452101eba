/** The list of categories in the product form, by the keyboard. */
import { expect, test } from '#tests/support/journey.ts'

for (const [key, next] of [
  ['Tab', 'Name'],
  ['Shift+Tab', 'Photo'],
] as const) {
  test(`${key} closes the list of categories before it leads into the page`, async ({
    page,
    admin: _,
  }) => {
    await page.goto('/dashboard/admin/create-product')
    await page.getByRole('combobox', { name: 'Category' }).click()
    await expect(page.getByRole('listbox')).toBeVisible()
    await page.keyboard.press(key)
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await expect(page.getByLabel(next, { exact: true }).last()).toBeFocused()
    await expect(page.getByRole('heading', { name: 'Create Product' })).toBeVisible()
  })
}
