import type { Page } from '@playwright/test'
import { type Coupon, couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { orderCalls } from '#app/orders/contract.ts'
import { openCart, productsInStock, stored } from '#tests/support/cart.ts'
import { expect, keepSession, register, test, type Visitor } from '#tests/support/journey.ts'
import { confirm, sandbox } from '#tests/support/payment-dialog.ts'

const summary = (page: Page) => page.getByRole('complementary', { name: 'Summary' })
const total = (page: Page) => summary(page).getByText(/^Total/)
const parts = (page: Page) => summary(page).getByLabel('Total in parts')
const field = (page: Page) => page.getByLabel('Coupon code', { exact: true })
const apply = async (page: Page, code: string) => {
  await field(page).fill(code)
  await page.getByRole('button', { name: 'Apply' }).click()
}

const dollars = (amount: number) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(amount)

const newCode = () => `E2E-${crypto.randomUUID().slice(0, 8)}`

async function createCoupon({ call }: Visitor, terms: object): Promise<Coupon & { code: string }> {
  const code = newCode()
  const { coupon } = await call(couponAdminCalls.createCoupon, { body: { code, ...terms } })
  return { ...coupon, code }
}

test('an admin makes a coupon, and a customer pays less with it', {
  tag: ['@journey', '@phone'],
}, async ({ page, context, address, admin, call }) => {
  const code = newCode()
  await page.goto('/dashboard/admin/coupons')
  await page.getByRole('link', { name: 'Create discount' }).click()
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('button', { name: 'Create discount' }).click()
  await expect(page.getByText('Percentage is required.')).toBeVisible()
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue(code)
  await page.getByLabel('Uses by each customer').fill('1')
  await expect(page.getByText('this shop sends no e-mail yet, so nobody can confirm')).toBeVisible()
  await page.getByLabel('Uses by each customer').fill('')
  await page.getByLabel('Percentage').fill('10')
  await page.getByLabel('Uses in all').fill('1')
  await page.getByRole('button', { name: 'Create discount' }).click()
  await expect(page.getByText(`${code} is created`)).toBeVisible()
  const row = page.getByRole('row').filter({ hasText: code })
  await expect(row).toContainText('10 % off')

  const customer = await register(address)
  await keepSession(context, address, customer)
  const [product] = await productsInStock(call, 1)
  if (!product) throw new Error('The shop is empty.')
  const reduced = (Math.round(product.price * 100) - Math.round(product.price * 10)) / 100
  await openCart(page, [product])
  await expect(total(page)).toContainText(dollars(product.price))

  await apply(page, 'NO-SUCH-CODE')
  await expect(page.getByText('There is no such code.')).toBeVisible()
  await expect(field(page)).toHaveValue('NO-SUCH-CODE')
  await apply(page, code.toLowerCase())
  await expect(parts(page)).toContainText(`Coupon ${code}`)
  await expect(total(page)).toContainText(dollars(reduced))
  await expect(field(page)).toHaveValue('')
  await page.reload()
  await expect(total(page)).toContainText(dollars(reduced))

  await page.getByRole('button', { name: 'Make Payment' }).click()
  await expect(sandbox(page)).toContainText(reduced.toFixed(2).slice(-3))
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
  await expect(page.getByText('Payment Successful')).toBeVisible()
  const orders = await customer.call(orderCalls.getOrders, { query: {} })
  expect(orders).toMatchObject([{ total: reduced }])

  await openCart(page, [product])
  await expect(total(page)).toContainText(dollars(product.price))
  await apply(page, code)
  await expect(page.getByText('This code has been used up.')).toBeVisible()
  await expect(total(page)).toContainText(dollars(product.price))
  const { items } = await admin.call.counted(couponAdminCalls.getCoupons, { query: {} })
  expect(items.find((one) => one.code === code)).toMatchObject({ uses: 1 })
})

test('a coupon as large as the cart makes an order without a payment', {
  tag: '@journey',
}, async ({ page, context, address, admin, call }) => {
  const { code } = await createCoupon(admin, { percent: 100 })
  const customer = await register(address)
  await keepSession(context, address, customer)
  await openCart(page, await productsInStock(call, 1))
  await apply(page, code)
  await expect(total(page)).toContainText('$0.00')
  await page.getByRole('button', { name: 'Place Order' }).click()
  await expect(page.getByText('Your order is placed.')).toBeVisible()
  await expect(page).toHaveURL('/dashboard/user/orders')
  const order = page.getByRole('article', { name: /^Order \d+$/ })
  await expect(order.getByRole('row').last()).toContainText('Success')
  expect(await stored(page, 'cart')).toEqual([])
  expect(await customer.call(orderCalls.getOrders, { query: {} })).toMatchObject([{ total: 0 }])
})

test('a coupon that ends before the payment shows the new total, and the reason', async ({
  page,
  context,
  address,
  admin,
  call,
}) => {
  const { _id: id, code } = await createCoupon(admin, { percent: 50 })
  await keepSession(context, address, await register(address))
  const [product] = await productsInStock(call, 1)
  if (!product) throw new Error('The shop is empty.')
  await openCart(page, [product])
  await apply(page, code)
  await expect(parts(page)).toContainText(`Coupon ${code}`)
  await admin.call(couponAdminCalls.updateCoupon, {
    params: { id },
    body: { percent: 50, to: '2025-05-03' },
  })
  await page.getByRole('button', { name: 'Make Payment' }).click()
  await expect(page.getByText('This code ended on 3 May 2025.')).toBeVisible()
  await expect(total(page)).toContainText(dollars(product.price))
  await page.getByRole('button', { name: `Remove ${code}` }).click()
  await expect(page.getByText('This code ended on 3 May 2025.')).toBeHidden()
})

test('the cart is paid as it is while its total cannot be calculated', async ({
  page,
  signedIn: _,
  call,
}) => {
  await page.route('**/checkout/quote', (route) => route.fulfill({ status: 429, body: '{}' }))
  const [product] = await productsInStock(call, 1)
  if (!product) throw new Error('The shop is empty.')
  await openCart(page, [product])
  await expect(page.getByText('The total could not be calculated.')).toBeVisible()
  await expect(total(page)).toContainText(dollars(product.price))
  await page.unroute('**/checkout/quote')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('The total could not be calculated.')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Make Payment' })).toBeEnabled()
})
