import type { Page } from '@playwright/test'

/** The number of pages on paper; Chromium writes each as one object of the type Page. */
export async function pagesOf(page: Page): Promise<number> {
  const margin = { top: '12mm', right: '12mm', bottom: '12mm', left: '12mm' }
  const pdf = await page.pdf({ format: 'A4', margin, printBackground: true })
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0
}
