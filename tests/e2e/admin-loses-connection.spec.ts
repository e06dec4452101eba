/** An unreachable server neither logs the admin out nor loses unsaved data. */
import type { Page } from '@playwright/test'
import { breakAllCalls, createProduct, named } from '#tests/support/back-office.ts'
import { store } from '#tests/support/cart.ts'
import { expect, test } from '#tests/support/journey.ts'

const COUNTDOWN = /Redirecting to you \d second/
const UNREACHABLE = 'The shop cannot be reached just now. Please try again.'
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('a half-changed product outlives a server that answers nothing', async ({
  page,
  context,
  admin,
}) => {
  const { slug } = await createProduct(admin, named('Clay cup'))
  await page.goto(`/dashboard/admin/product/${slug}`)
  await page.getByLabel('Price').fill('13')
  await breakAllCalls(page)
  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByText('The product could not be saved.')).toBeVisible()
  // the guard checks again when another tab logs in
  const checked = page.waitForResponse('**/auth/admin-auth')
  const other = await context.newPage()
  await store(other, 'auth', { user: admin.user, token: `${admin.token}x` })
  await checked
  await expect(page.getByText('Something wwent wrong in getting catgeory')).toBeVisible()
  await expect(page.getByText(COUNTDOWN)).toHaveCount(0)
  await expect(page.getByLabel('Price')).toHaveValue('13')
  await expect(page.getByRole('combobox', { name: 'Category', exact: true })).toHaveValue(/Cups/)

  await page.unrouteAll()
  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByText(COUNTDOWN), 'but a no is a no').toBeVisible()
})

for (const [who, area] of [
  ['admin', '/dashboard/admin'],
  ['user', '/dashboard/user'],
] as const) {
  test(`a logged-in ${who} who cannot be checked may try again`, async ({
    page,
    admin,
    customer,
  }) => {
    const { user, token } = who === 'admin' ? admin : customer
    await store(page, 'auth', { user, token })
    await breakAllCalls(page)
    await page.goto(area)
    await expect(page.getByRole('heading', { name: UNREACHABLE })).toBeVisible()
    const refused = page.waitForResponse((response) => response.status() === 418)
    await press(page, 'Try again')
    await refused
    await expect(page.getByRole('button', { name: 'Try again' })).toBeEnabled()
    await expect(page.getByRole('heading', { name: UNREACHABLE })).toBeVisible()
    await expect(page.getByText(COUNTDOWN)).toHaveCount(0)
    await page.unrouteAll()
    await press(page, 'Try again')
    await expect(page.getByRole('main')).toContainText(user.email)
  })
}

test('a customer goes on in the own area while the server answers nothing', async ({
  page,
  signedIn,
}) => {
  const area = page.getByRole('navigation', { name: 'User area' })
  await page.goto('/dashboard/user/profile')
  await expect(page.getByLabel('Email')).toHaveValue(signedIn.email)
  await breakAllCalls(page)
  await area.getByText('Orders').click()
  await expect(page.getByText('This could not be loaded.')).toBeVisible()
  await area.getByText('Dashboard').click()
  await expect(page).toHaveURL('/dashboard/user')
  await expect(page.getByRole('main')).toContainText(signedIn.email)
  await area.getByText('Orders').click()
  await expect(page.getByText('This could not be loaded.')).toBeVisible()
  await page.unrouteAll()
  await press(page, 'Try again')
  await expect(page.getByText('You have no orders yet.')).toBeVisible()
})
