import type { Page } from '@playwright/test'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { ADMIN_ROLE, sessionCalls } from '#app/accounts/session-contract.ts'
import { breakCall, createProduct, named } from '#tests/support/back-office.ts'
import { expect, keepSession, logIn, test, type Visitor } from '#tests/support/journey.ts'
import { buy, sellForMoney } from '#tests/support/purchase.ts'

const REFUSED = /Redirecting to you \d second/

const field = (page: Page) => page.getByLabel('Search by name or e-mail')

/** The row of a user in the list, found by e-mail. */
async function find(page: Page, { user: { email } }: Visitor) {
  await page.goto('/dashboard/admin/users')
  await expect(page.getByRole('heading', { name: 'User page' })).toBeVisible()
  await field(page).fill(email)
  await field(page).press('Enter')
  await expect(page.getByText('1 user', { exact: true })).toBeVisible()
  return page.getByRole('row').filter({ hasText: email })
}

/** The page of a user, opened from the list. */
async function open(page: Page, visitor: Visitor) {
  const row = await find(page, visitor)
  await row.getByRole('link', { name: visitor.user.name }).click()
  await expect(page.getByRole('heading', { name: visitor.user.name, level: 1 })).toBeVisible()
  return page.getByRole('region', { name: 'Contact' })
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const confirm = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click()

test('an admin makes a customer an admin, who enters after a new log-in, and back', {
  tag: '@journey',
}, async ({ page, admin: _, customer, browser, address }) => {
  const context = await browser.newContext({ baseURL: address })
  await keepSession(context, address, customer)
  const theirs = await context.newPage()
  await theirs.goto('/dashboard/admin/users')
  await expect(theirs.getByText(REFUSED)).toBeVisible()

  const contact = await open(page, customer)
  const role = contact.getByText('Admin', { exact: true })
  await press(page, 'Make admin')
  await confirm(page, 'Cancel')
  await expect(role).toBeHidden()
  await press(page, 'Make admin')
  await confirm(page, 'Make admin')
  await expect(page.getByText(`${customer.user.name} is an admin now`)).toBeVisible()
  await expect(role).toBeVisible()
  await theirs.goto('/dashboard/admin/orders')
  await expect(theirs.getByText(REFUSED)).toBeVisible()
  await keepSession(context, address, await logIn(address, customer))
  await theirs.goto('/dashboard/admin/orders')
  await expect(theirs.getByRole('heading', { name: 'All Orders' })).toBeVisible()

  await press(page, 'Remove admin')
  await confirm(page, 'Remove admin')
  await expect(page.getByText(`${customer.user.name} is no longer an admin`)).toBeVisible()
  await expect(role).toBeHidden()
  await theirs.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(theirs.getByText(REFUSED)).toBeVisible()
  await context.close()
})

test("an admin ends a user's sessions", async ({ page, admin: _, customer }) => {
  await open(page, customer)
  const signIns = page.getByRole('region', { name: 'Sign-ins' })
  await expect(signIns.getByText(/^Signed in since/)).toBeVisible()
  await press(page, 'End sessions')
  await confirm(page, 'End sessions')
  await expect(page.getByText(`${customer.user.name} is signed out everywhere`)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(signIns.getByText('Not signed in now.')).toBeVisible()
  await expect(customer.call(sessionCalls.checkUser)).rejects.toMatchObject({ status: 401 })
})

test('list and page say what somebody has bought, in the demo also by test payments', {
  tag: '@phone',
}, async ({ page, admin, customer }) => {
  const cup = await createProduct(admin, named('Cup'))
  await sellForMoney(customer, cup)
  await sellForMoney(customer, cup)
  await buy(customer, [cup])
  await expect(await find(page, customer)).toContainText('$92.46')
  await open(page, customer)
  const orders = page.getByRole('region', { name: 'Orders' })
  await expect(orders).toContainText('$92.46')
  await expect(orders.getByRole('table', { name: 'Latest orders' }).getByRole('link')).toHaveCount(
    3,
  )
  await orders.getByRole('link', { name: '3 orders' }).click()
  await expect(page.getByRole('heading', { name: 'All Orders' })).toBeVisible()
  await expect(page.getByText('3 orders', { exact: true })).toBeVisible()
})

test('an admin writes down what a customer said, and exports their data', {
  tag: ['@journey', '@phone'],
}, async ({ page, admin, customer }) => {
  await open(page, customer)
  await press(page, 'Add a note')
  await page.getByLabel('Note', { exact: true }).fill('Prefers blue.')
  await confirm(page, 'Add note')
  const notes = page.getByRole('region', { name: 'Notes' })
  await expect(notes).toContainText('Prefers blue.')
  await expect(notes).toContainText(admin.user.name)
  const download = page.waitForEvent('download')
  await press(page, 'Export data')
  expect((await download).suggestedFilename()).toMatch(/^customer-data-.*\.json$/)
  await press(page, 'Delete note')
  await confirm(page, 'Delete')
  await expect(notes).toContainText('No notes yet.')
})

test('admins cannot change their own role', async ({ page, admin }) => {
  await open(page, admin)
  await expect(page.getByText('This is you.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove admin' })).toHaveCount(0)
})

test('a search without a result says so, and the back button goes back', async ({
  page,
  admin: _,
  customer,
}) => {
  const row = await find(page, customer)
  await field(page).fill('nobody is called so')
  await field(page).press('Enter')
  await expect(page.getByText('No users found.')).toBeVisible()
  await page.goBack()
  await expect(row).toBeVisible()
})

test('a change that fails leaves the page as it is by then', async ({ page, admin, customer }) => {
  const contact = await open(page, customer)
  const params = { userId: customer.user._id }
  await admin.call(userAdminCalls.setUserRole, { params, body: { role: ADMIN_ROLE } })
  await breakCall(page, userAdminCalls.setUserRole)
  await press(page, 'Make admin')
  await confirm(page, 'Make admin')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('The role could not be changed.')).toBeVisible()
  await expect(contact.getByText('Admin', { exact: true })).toBeVisible()
})
