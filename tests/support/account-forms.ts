import type { Page } from '@playwright/test'

/** Fills all six fields of the registration form. */
export async function fillRegistration(page: Page, email: string) {
  await page.getByLabel('Name').fill('Asha Rao')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill('correct-horse')
  await page.getByLabel('Phone').fill('555 0100')
  await page.getByLabel('Address').fill('1 Market Lane, Pune')
  await page.getByLabel('Answer').fill('cricket')
}

/** Logs in by the form of the open log-in page. */
export async function logIn(page: Page, email: string, password = 'correct-horse') {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
}
