/** The pages of products in the back office, as journeys use them. */
import type { Page } from '@playwright/test'

export const LIST = '/dashboard/admin/products'

export const editPage = (slug: string) => `/dashboard/admin/product/${encodeURIComponent(slug)}`
export const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).click()
export const dialog = (page: Page) => page.getByRole('dialog')
export const rows = (page: Page) =>
  page.getByRole('table', { name: 'All Products' }).locator('tbody tr')
export const row = (page: Page, name: string) => rows(page).filter({ hasText: name })
export const listed = (q: string) => `${LIST}?${new URLSearchParams({ q })}`

export async function fill(page: Page, fields: Record<string, string>) {
  for (const [label, value] of Object.entries(fields)) {
    await page.getByLabel(label, { exact: true }).fill(value)
  }
}
