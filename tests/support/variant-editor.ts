/** Options and variants on the page of their product, as journeys use them. */
import { expect, type Page } from '@playwright/test'
import { press } from './product-pages.ts'

export const cell = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
export const saved = (page: Page, message: string) =>
  expect(page.getByRole('status').filter({ hasText: message })).toBeVisible()

export async function addOption(page: Page, name: string, values: string) {
  await page.getByLabel('New option').fill(name)
  await page.getByLabel('Values, separated by commas').fill(values)
  await press(page, 'Add the option')
}

/** Pastes cells as a spreadsheet copies them. */
export const paste = (page: Page, cells: string[][]) =>
  page.evaluate(
    (text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      document.activeElement?.dispatchEvent(event)
    },
    cells.map((row) => row.join('\t')).join('\r\n'),
  )
