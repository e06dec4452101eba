import type { Page } from '@playwright/test'
import { accountCalls } from '#app/accounts/contract.ts'
import { sessionCalls } from '#app/accounts/session-contract.ts'
import { stored } from '#tests/support/cart.ts'
import { expect, test } from '#tests/support/journey.ts'

test('changes name and address', { tag: ['@journey', '@phone'] }, async ({ page, signedIn }) => {
  await page.goto('/dashboard/user')
  await expect(page.getByRole('main')).toContainText(signedIn.email)
  await page.getByRole('navigation', { name: 'User area' }).getByText('Profile').click()
  await expect(page.getByLabel('Email')).toHaveValue(signedIn.email)
  await expect(page.getByLabel('Email')).not.toBeEditable()
  await expect(page.getByLabel('Phone')).toHaveValue('555 0100')
  // this shop sends no e-mails
  await expect(page.getByText(`${signedIn.email} is not confirmed yet.`)).toHaveText(/yet\.$/)
  await expect(page.getByRole('button', { name: 'Send another link' })).toHaveCount(0)

  await page.getByLabel('Name').fill('Asha Kulkarni')
  await page.getByLabel('Address').fill('7 Lake Road, Nashik')
  await page.getByRole('button', { name: 'UPDATE' }).click()
  await expect(page.getByText('Profile Updated Successfully')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeFocused()
  await expect(page.getByRole('navigation', { name: 'Main' })).toContainText('Asha Kulkarni')
  expect(await stored(page, 'auth')).toEqual({
    user: { ...signedIn.user, name: 'Asha Kulkarni', address: '7 Lake Road, Nashik' },
    token: signedIn.token,
  })

  await page.getByRole('navigation', { name: 'User area' }).getByText('Dashboard').click()
  await expect(page.getByRole('main')).toContainText('7 Lake Road, Nashik')
})

const password = (page: Page) => page.getByLabel('Password', { exact: true })

test('changes the password with the current one, and stays signed in', { tag: '@journey' }, async ({
  page,
  signedIn,
  call,
}) => {
  await page.goto('/dashboard/user/profile')
  const current = page.getByLabel('Current password')
  await expect(password(page)).toBeVisible()
  await expect(current).toHaveCount(0)
  await password(page).fill('short')
  await expect(current).toHaveAttribute('autocomplete', 'current-password')
  await page.getByRole('button', { name: 'UPDATE' }).click()
  // both are shown before anything is sent, and the first one is focused
  await expect(password(page)).toBeFocused()
  await expect(current).toHaveAccessibleDescription(/^Current password is required\./)
  await current.fill('wrong-horse')
  await page.getByRole('button', { name: 'UPDATE' }).click()
  await expect(page.getByText(/^password must have/i).first()).toBeVisible()
  await expect(password(page)).toHaveValue('short')

  await password(page).fill('another-horse')
  await page.getByRole('button', { name: 'UPDATE' }).click()
  await expect(page.getByText('The current password is wrong.').first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Profile' })).toBeVisible()
  await current.fill(signedIn.password)
  await page.getByRole('button', { name: 'UPDATE' }).click()
  await expect(page.getByText('Profile Updated Successfully')).toBeVisible()
  await expect(password(page)).toHaveValue('')
  await expect(current).toHaveCount(0)
  await signedIn.call(sessionCalls.checkUser)
  await call(accountCalls.login, { body: { email: signedIn.email, password: 'another-horse' } })
})

test('sets a new security answer with the current password', async ({ page, signedIn, call }) => {
  await page.goto('/dashboard/user/profile')
  await page.getByLabel('Answer').fill('Golf')
  await page.getByLabel('Current password').fill(signedIn.password)
  await page.getByRole('button', { name: 'UPDATE' }).click()
  await expect(page.getByText('Profile Updated Successfully')).toBeVisible()
  await expect(page.getByLabel('Answer')).toHaveValue('')
  const body = { email: signedIn.email, answer: 'golf', newPassword: 'another-horse' }
  await call(accountCalls.forgotPassword, { body })
})
