import type { Page } from '@playwright/test'
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { accountCalls } from '#app/accounts/contract.ts'

import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { paymentCalls } from '#app/payments/contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import { buy } from '#tests/support/purchase.ts'

const LIST = '/dashboard/admin/history'
const entries = (page: Page) => page.getByRole('main').locator('tbody tr')

test('the admin reads who changed a product', { tag: '@journey' }, async ({
  page,
  admin,
  customer,
}) => {
  const cup = await createProduct(admin, named('Cup'))
  await buy(customer, [cup, cup])
  const body = { price: 13.75 }
  await admin.call(productAdminCalls.updateProduct, { params: { id: cup._id }, body })
  await page.goto(`/dashboard/admin/product/${cup.slug}`)
  await page.getByRole('main').getByRole('link', { name: 'History' }).last().click()
  await expect(page).toHaveURL(`${LIST}?object=${cup._id}`)
  await expect(page.getByRole('heading', { name: `History of ${cup.name}` })).toBeVisible()
  // created with its variant, which has the price; a purchase is no edit
  await expect(page.getByText('3 changes', { exact: true })).toBeVisible()
  const edited = entries(page).nth(0)
  const created = entries(page).nth(1)
  await expect(edited).toContainText(`Product ${cup.name}`)
  await expect(edited).toContainText('Price$12.50 → $13.75')
  await expect(edited).toContainText(`${admin.user.name} (admin)`)
  await expect(created).toContainText('Created')
  await expect(created).toContainText('Price$12.50')

  await edited.getByRole('link', { name: admin.user.name }).click()
  await expect(page).toHaveURL(`${LIST}?actor=${admin.user._id}`)
  await expect(page.getByLabel('Who')).toHaveValue(admin.user._id)
  await page.goBack()
  await expect(page.getByText('3 changes', { exact: true })).toBeVisible()
})

test('the admin narrows the history, and keeps where that is', async ({
  page,
  admin,
  customer,
}) => {
  const order = await buy(customer, [await createProduct(admin, named('Cup'))])
  const change = { params: { orderId: order._id }, body: { status: 'Shipped' as const } }
  await admin.call(orderAdminCalls.setOrderStatus, change)
  await page.goto(`/dashboard/admin/orders/${order._id}`)
  await page.getByRole('main').getByRole('link', { name: 'History' }).click()
  await expect(
    page.getByRole('heading', { name: `History of order ${order.number} · ${customer.user.name}` }),
  ).toBeVisible()
  await expect(entries(page).first()).toContainText('StatusNot Process → Shipped')
  await page.getByLabel('Who').selectOption('Admins')
  await expect(page).toHaveURL(`${LIST}?object=${order._id}&actor=admin`)
  await expect(page.getByText('1 change', { exact: true })).toBeVisible()
  await page.getByLabel('What').selectOption('Products')
  await expect(page.getByText('Nothing was changed.')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('What')).toHaveValue('products')
  await expect(page.getByLabel('Who')).toHaveValue('admin')
  await page.getByRole('link', { name: 'Show all' }).click()
  await expect(page).toHaveURL(LIST)
  await expect(page.getByLabel('What')).toHaveValue('')
  await expect(entries(page)).toHaveCount(50)

  await page.getByLabel('From').fill('2001-01-01')
  await page.getByLabel('To', { exact: true }).fill('2001-12-31')
  await expect(page).toHaveURL(`${LIST}?from=2001-01-01&to=2001-12-31`)
  await expect(page.getByText('Nothing was changed.')).toBeVisible()
})

test('the admin reads what was done with an account', async ({ page, admin, customer, call }) => {
  const { email, answer, user } = customer
  await call(accountCalls.forgotPassword, { body: { email, answer, newPassword: 'another-horse' } })
  const params = { userId: user._id }
  await admin.call(userAdminCalls.endUserSessions, { params })
  for (const role of [1, 0] as const)
    await admin.call(userAdminCalls.setUserRole, { params, body: { role } })
  await page.goto(`/dashboard/admin/users/${user._id}`)
  await page
    .getByRole('region', { name: 'Sign-ins' })
    .getByRole('link', { name: 'History' })
    .click()
  await expect(page.getByRole('heading', { name: `History of ${user.name}` })).toBeVisible()
  const by = `${admin.user.name} (admin)`
  await expect(entries(page)).toContainText([
    `User ${user.name}AdminYes → No${by}`,
    `User ${user.name}Security answerchanged${by}`,
    `User ${user.name}All sessions ended${by}`,
    `User ${user.name}AdminNo → Yes${by}`,
    `User ${user.name}All sessions ended${by}`,
    `User ${user.name}Password reset with the security answer${user.name}`,
    `User ${user.name}Passwordchanged${user.name}`,
  ])
  await page.getByLabel('What').selectOption('Users')
  await expect(entries(page)).toHaveCount(7)
})

test('every part of the back office leads to the history of what it shows', async ({
  page,
  admin,
  customer,
}) => {
  const cup = await createProduct(admin, named('Cup'))
  await page.goto('/dashboard/admin/create-category')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'History' }) })
  await row.first().getByRole('link', { name: 'History' }).click()
  await expect(entries(page).last()).toContainText(/Category .+Created/)

  const body = { amount: 1250, cart: [{ _id: cup._id }] }
  const { id } = await customer.call(paymentCalls.startPayment, { body })
  await page.goto('/dashboard/admin/payments?state=started')
  const payment = page.getByRole('row').filter({ hasText: id })
  await payment.getByRole('link', { name: 'History' }).click()
  await expect(page.getByText('Nothing was changed.')).toBeVisible()

  await page.getByRole('navigation', { name: 'Admin Page' }).getByText('History').click()
  await expect(page).toHaveURL(LIST)
})
