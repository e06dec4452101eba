import type { Page } from '@playwright/test'

/** Adds a place to the shipping zone that is edited. */
export async function addPlace(page: Page, name: string) {
  await page.getByRole('combobox', { name: 'Places' }).fill(name)
  await page.getByRole('option', { name }).first().click()
}
