import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { accountCalls } from '#app/accounts/contract.ts'
import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { stored } from '#tests/support/cart.ts'
import { expect, test, type Visitor } from '#tests/support/journey.ts'
import { buy } from '#tests/support/purchase.ts'

const openProfile = async (page: Page) => {
  await page.goto('/dashboard/user/profile')
  await expect(page.getByRole('heading', { name: 'Your data' })).toBeVisible()
}

const askToClose = async (page: Page) => {
  await page.getByRole('button', { name: 'Close account' }).click()
  return page.getByRole('dialog', { name: 'Close your account?' })
}

test('a customer downloads their data', { tag: '@journey' }, async ({ page, signedIn }) => {
  await openProfile(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/^my-data-\d{4}-\d\d-\d\d\.json$/)
  const data = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(data.account).toMatchObject({ email: signedIn.email, address: signedIn.user.address })
})

test('a customer closes their account with the password, and is gone', { tag: '@journey' }, async ({
  page,
  signedIn,
  call,
}) => {
  await openProfile(page)
  const dialog = await askToClose(page)
  const { x, width } = (await dialog.boundingBox()) ?? { x: 0, width: 0 }
  expect(x * 2 + width, 'in the middle').toBeCloseTo(page.viewportSize()?.width ?? 0, 0)
  await dialog.getByLabel('Current password').fill('wrong-horse')
  await dialog.getByRole('button', { name: 'Close account' }).click()
  await expect(page.getByText('The current password is wrong.').first()).toBeVisible()
  await dialog.getByLabel('Current password').fill(signedIn.password)
  await dialog.getByRole('button', { name: 'Close account' }).click()
  await expect(page.getByText('Your account is closed.')).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('navigation', { name: 'Main' })).toContainText('Login')
  expect(await stored(page, 'auth')).toBeNull()
  const { email, password } = signedIn
  await expect(call(accountCalls.login, { body: { email, password } })).rejects.toThrow()
})

/** The page of a customer with an order. */
async function openBuyer(page: Page, admin: Visitor, customer: Visitor) {
  const order = await buy(customer, [await createProduct(admin, named('Cup'))])
  const address = `/dashboard/admin/users/${customer.user._id}`
  await page.goto(address)
  return { order, address, close: page.getByRole('button', { name: 'Close account' }) }
}

test('an admin closes an account whose orders are sent, and sees where they went', async ({
  page,
  admin,
  customer,
}) => {
  const { order, address, close } = await openBuyer(page, admin, customer)
  const closing = page.getByRole('dialog')
  await close.click()
  const open = closing.getByRole('link', { name: `Order ${order.number}` })
  await expect(open).toHaveAttribute('href', `/dashboard/admin/orders/${order._id}`)
  await expect(closing.getByRole('button', { name: 'Close account' })).toHaveCount(0)
  await closing.getByRole('button', { name: 'Close' }).click()

  await customer.call(accountCalls.updateProfile, { body: { address: '99 New Street' } })
  await page.goto(`/dashboard/admin/orders/${order._id}`)
  const delivery = page.getByRole('region', { name: 'Delivery' })
  await expect(delivery).toContainText(customer.user.address)
  await expect(delivery).toContainText('This order keeps the old ones.')
  await admin.call(orderAdminCalls.setOrderStatus, {
    params: { orderId: order._id },
    body: { status: 'Shipped' },
  })

  await page.goto(address)
  await close.click()
  await closing.getByRole('button', { name: 'Close account' }).click()
  await expect(page.getByText(`The account of ${customer.user.name} is closed`)).toBeVisible()
  await page.goto(`/dashboard/admin/orders/${order._id}`)
  await expect(delivery).toContainText('Closed account')
  await expect(delivery).not.toContainText(customer.user.address)
  const listed = await admin.call(userAdminCalls.getAllUsers, { query: { q: customer.email } })
  expect(listed).toEqual([])
})
