import type { Page } from '@playwright/test'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { ADMIN_ROLE, sessionCalls } from '#app/accounts/session-contract.ts'
import { breakCall, createProduct, named } from '#tests/support/back-office.ts'
import { expect, keepSession, logIn, test, type Visitor } from '#tests/support/journey.ts'
import { buy, sellForMoney } from '#tests/support/purchase.ts'

const REFUSED = /Redirecting to you \d second/

/** The card of a user in the list, found by e-mail. */
async function find(page: Page, { user: { name, email } }: Visitor) {
  await page.goto('/dashboard/admin/users')
  await expect(page.getByRole('heading', { name: 'User page' })).toBeVisible()
  await page.getByLabel('Search by name or e-mail').fill(email)
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByText('1 user', { exact: true })).toBeVisible()
  const card = page.getByRole('article', { name })
  await expect(card).toContainText(email)
  return card
}

test('an admin makes a customer an admin, who enters after a new log-in, and back', {
  tag: '@journey',
}, async ({ page, admin: _, customer, browser, address }) => {
  const context = await browser.newContext({ baseURL: address })
  await keepSession(context, address, customer)
  const theirs = await context.newPage()
  await theirs.goto('/dashboard/admin/users')
  await expect(theirs.getByText(REFUSED)).toBeVisible()

  const card = await find(page, customer)
  const role = card.getByRole('definition').first()
  await expect(role).toHaveText('User')
  await card.getByRole('button', { name: 'Make admin' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(role).toHaveText('User')
  await card.getByRole('button', { name: 'Make admin' }).click()
  await dialog.getByRole('button', { name: 'Make admin' }).click()
  await expect(page.getByText(`${customer.user.name} is an admin now`)).toBeVisible()
  await expect(role).toHaveText('Admin')
  await theirs.goto('/dashboard/admin/orders')
  await expect(theirs.getByText(REFUSED)).toBeVisible()
  await keepSession(context, address, await logIn(address, customer))
  await theirs.goto('/dashboard/admin/orders')
  await expect(theirs.getByRole('heading', { name: 'All Orders' })).toBeVisible()

  await card.getByRole('button', { name: 'Remove admin' }).click()
  await dialog.getByRole('button', { name: 'Remove admin' }).click()
  await expect(page.getByText(`${customer.user.name} is no longer an admin`)).toBeVisible()
  await expect(role).toHaveText('User')
  await theirs.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(theirs.getByText(REFUSED)).toBeVisible()
  await context.close()
})

test("an admin ends a user's sessions", async ({ page, admin: _, customer }) => {
  const card = await find(page, customer)
  await card.getByRole('button', { name: 'End sessions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click()
  await expect(page.getByText(`${customer.user.name} is signed out everywhere`)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(customer.call(sessionCalls.checkUser)).rejects.toMatchObject({ status: 401 })
})

test('the list says what somebody has bought, without test payments', async ({
  page,
  admin,
  customer,
}) => {
  const cup = await createProduct(admin, named('Cup'))
  await sellForMoney(customer, cup)
  await sellForMoney(customer, cup)
  await buy(customer, [cup])
  const card = await find(page, customer)
  const year = new Date().getUTCFullYear()
  const facts = card.getByRole('definition')
  await expect(facts).toHaveText(['User', '2', '₹79.96', new RegExp(`${year}$`)])
})

test('admins cannot change their own role', async ({ page, admin }) => {
  const card = await find(page, admin)
  await expect(card).toContainText('This is you.')
  await expect(card.getByRole('button')).toHaveCount(0)
})

test('a search without a result says so, and the back button goes back', async ({
  page,
  admin: _,
  customer,
}) => {
  const card = await find(page, customer)
  await page.getByLabel('Search by name or e-mail').fill('nobody is called so')
  await page.getByRole('button', { name: 'Find' }).click()
  await expect(page.getByText('No users found.')).toBeVisible()
  await page.goBack()
  await expect(card).toBeVisible()
})

test('a change that fails leaves the list as it is by then', async ({ page, admin, customer }) => {
  const card = await find(page, customer)
  const params = { userId: customer.user._id }
  await admin.call(userAdminCalls.setUserRole, { params, body: { role: ADMIN_ROLE } })
  await breakCall(page, userAdminCalls.setUserRole)
  await card.getByRole('button', { name: 'Make admin' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make admin' }).click()
  await expect(dialog.getByText('The role could not be changed.')).toBeVisible()
  await expect(card.getByRole('definition').first()).toHaveText('Admin')
})
