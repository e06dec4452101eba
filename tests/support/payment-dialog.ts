import type { Page } from '@playwright/test'

/** The sandbox's dialog. */
export const sandbox = (page: Page) => page.getByRole('dialog', { name: /Test payment/ })

export const payButton = (page: Page) => page.getByRole('button', { name: 'Make Payment' })

/** Pays in the open dialog. */
export const confirm = (page: Page) =>
  sandbox(page).getByRole('button', { name: 'Pay', exact: true }).click()
