import { accountCalls } from '#app/accounts/contract.ts'
import { stored } from '#tests/support/cart.ts'
import { expect, test } from '#tests/support/journey.ts'

test('changes name and address', { tag: '@phone' }, async ({ page, signedIn }) => {
  await page.goto('/dashboard/user')
  await expect(page.getByRole('main')).toContainText(signedIn.email)
  await page.getByRole('navigation', { name: 'User area' }).getByText('Profile').click()
  await expect(page.getByLabel('Email')).toHaveValue(signedIn.email)
  await expect(page.getByLabel('Email')).not.toBeEditable()
  await expect(page.getByLabel('Phone')).toHaveValue('555 0100')

  await page.getByLabel('Name').fill('Asha Kulkarni')
  await page.getByLabel('Address').fill('7 Lake Road, Nashik')
  await page.getByRole('button', { name: 'UPDATE' }).click()
  await expect(page.getByText('Profile Updated Successfully')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' })).toContainText('Asha Kulkarni')
  expect(await stored(page, 'auth')).toEqual({
    user: { ...signedIn.user, name: 'Asha Kulkarni', address: '7 Lake Road, Nashik' },
    token: signedIn.token,
  })

  await page.getByRole('navigation', { name: 'User area' }).getByText('Dashboard').click()
  await expect(page.getByRole('main')).toContainText('7 Lake Road, Nashik')
})

test('changes the password and stays signed in', async ({ page, signedIn, call }) => {
  await page.goto('/dashboard/user/profile')
  await page.getByLabel('Password').fill('short')
  await page.getByRole('button', { name: 'UPDATE' }).click()
  await expect(page.getByText(/^password must have/i)).toBeVisible()
  await expect(page.getByLabel('Password')).toHaveValue('short')

  await page.getByLabel('Password').fill('another-horse')
  await page.getByRole('button', { name: 'UPDATE' }).click()
  await expect(page.getByText('Profile Updated Successfully')).toBeVisible()
  await expect(page.getByLabel('Password')).toHaveValue('')
  await signedIn.call(accountCalls.checkUser)
  await call(accountCalls.login, { body: { email: signedIn.email, password: 'another-horse' } })
})
