import type { Page } from '@playwright/test'
import { productCalls } from '#app/products/contract.ts'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { openCart, stored } from '#tests/support/cart.ts'
import { expect, keepSession, type Visitor } from '#tests/support/journey.ts'
import { SANDBOX, test } from '#tests/support/own-shop.ts'
import { paymentMethods } from '#tests/support/payment-methods.ts'

/** Prices are displayed in the currency in which they are paid. */
const USD = { CURRENCY_CHARGE: 'USD' }

test.use({ environment: { ...SANDBOX, ...USD } })

const summary = (page: Page) => page.getByRole('complementary', { name: 'Summary' })
const payment = (page: Page) => summary(page).getByRole('group', { name: 'Payment' })
const total = (page: Page) => summary(page).getByText(/^(Estimated t|T)otal/)
const button = (page: Page, name: string) => summary(page).getByRole('button', { name })

/** A product for 12.50, as the cart stores it. */
async function createCup(admin: Visitor) {
  const { slug } = await createProduct(admin, named('Cup'))
  return (await admin.call(productCalls.getProduct, { params: { slug } })).product
}

/** Offers a bank transfer with a fee of 1.50 in the back office, after mistakes. */
async function offerBankTransfer(page: Page) {
  await page.goto('/dashboard/admin/settings/payments')
  const method = page.getByRole('region', { name: 'Bank transfer' })
  await expect(method.getByLabel('Fee')).toBeHidden()
  await method.getByLabel('Offer bank transfer').check()
  await method.getByLabel('Fee').fill('1.50')
  await method.getByLabel('Days to pay').fill('0')
  const countries = method.getByLabel('Only in these countries', { exact: true })
  await countries.fill('India (IN')
  await countries.press('Enter')
  await expect(method.getByRole('button', { name: 'Remove India (IN)' })).toBeVisible()
  const save = page.getByRole('button', { name: 'Save settings' })
  await save.click()
  const account = method.getByLabel('Bank account and instructions')
  await expect(account).toBeFocused()
  await expect(account).toHaveAccessibleDescription(/Enter the bank account/)
  const days = method.getByLabel('Days to pay')
  await expect(days).toHaveAccessibleDescription(/from 1 to 90/)
  await account.fill('IBAN **DE02 1203 0000**')
  await days.fill('7')
  await method.getByRole('button', { name: 'Remove India (IN)' }).click()
  await save.click()
  // where the money goes is changed with the password only
  const password = page.getByLabel('Your password')
  await expect(password).toBeFocused()
  await expect(password).toHaveAccessibleDescription(/Enter your password/)
  await password.fill(DEMO_ADMIN.password)
  await save.click()
  await expect(page.getByText('The settings are saved')).toBeVisible()
  // the shop has no SMTP server: each admin is told here, until the warning is read
  const warning = page.getByRole('alert').filter({ hasText: 'How customers pay' })
  await expect(async () => {
    await page.reload()
    await expect(method.getByLabel('Fee')).toHaveValue('1.50')
    await expect(warning).toBeVisible({ timeout: 500 })
  }).toPass()
  await page.getByRole('button', { name: 'I have read this' }).click()
  await expect(warning).toBeHidden()
  await page.reload()
  await expect(method.getByLabel('Fee')).toHaveValue('1.50')
  await expect(warning).toBeHidden()
}

/** Saves payment methods through the API. */
async function offer(admin: Visitor, ...[offers]: Parameters<typeof paymentMethods>) {
  const { revision, settings } = await admin.call(settingsAdminCalls.getAllSettings)
  const changed = { ...settings, paymentMethods: paymentMethods(offers) }
  const body = { revision, settings: changed, password: DEMO_ADMIN.password }
  await admin.call(settingsAdminCalls.saveSettings, { body })
}

test('an admin offers bank transfers, and a customer orders with one', {
  tag: ['@journey', '@phone'],
}, async ({ page, context, address, admin, customer }) => {
  await offerBankTransfer(page)
  const cup = await createCup(admin)

  await keepSession(context, address, customer)
  await openCart(page, [cup])
  await expect(button(page, 'Make Payment')).toBeEnabled()
  const online = payment(page).getByRole('radio', { name: 'Pay online' })
  await expect(online).toBeChecked()
  // by keyboard
  await online.focus()
  await page.keyboard.press('ArrowDown')
  const transfer = payment(page).getByRole('radio', { name: 'Bank transfer + $1.50' })
  await expect(transfer).toBeChecked()
  await expect(total(page)).toContainText('$14.00')
  await expect(summary(page).getByLabel('Total in parts')).toContainText('Bank transfer')
  await online.check()
  await expect(total(page)).toContainText('$12.50')
  await expect(button(page, 'Make Payment')).toBeEnabled()
  await transfer.check()
  await expect(button(page, 'Place Order')).toBeEnabled()
  await page.reload()
  await expect(transfer).toBeChecked()
  await expectAccessible(page, 'a cart with payment methods')
  await button(page, 'Place Order').click()

  await expect(page.getByText('Your order is placed.')).toBeVisible()
  await expect(page).toHaveURL('/dashboard/user/orders')
  await expect(page.getByRole('article', { name: /^Order \d+$/ })).toContainText('14.00')
  expect(await stored(page, 'cart')).toEqual([])
})

test('a payment method that a cart has no more is not chosen any more, and the cart says so', async ({
  page,
  context,
  address,
  admin,
  customer,
}) => {
  await offer(admin, { bank_transfer: {} })
  const cup = await createCup(admin)
  await keepSession(context, address, customer)
  await openCart(page, [cup])
  await payment(page).getByRole('radio', { name: 'Bank transfer' }).check()
  await expect(button(page, 'Place Order')).toBeEnabled()
  await offer(admin, { bank_transfer: { maxTotal: 10 } })
  await button(page, 'Place Order').click()
  await expect(summary(page).getByText('Bank transfer is not offered for this cart.')).toBeVisible()
  await expect(payment(page)).toBeHidden()
  await expect(button(page, 'Make Payment')).toBeEnabled()
})

test.describe('in a shop without a provider', () => {
  test.use({ environment: USD })

  test('the first payment method is chosen, at an address where it is offered', {
    tag: ['@phone'],
  }, async ({ page, context, address, admin, customer }) => {
    await offer(admin, { pay_on_delivery: { countries: ['IN'], fee: 2 } })
    const cup = await createCup(admin)
    await keepSession(context, address, customer)
    await openCart(page, [cup])
    const cart = summary(page)
    await cart.getByLabel('Street and number').fill('7 Temple Road')
    await cart.getByLabel('City').fill('Oslo')
    await cart.getByLabel('Country').selectOption('Norway')
    await expect(cart.getByText('cannot take payments')).toBeHidden()
    await cart.getByRole('button', { name: 'Deliver to this address' }).click()
    await expect(cart.getByText('cannot take payments')).toBeVisible()
    await cart.getByRole('button', { name: 'Change address' }).click()
    await cart.getByLabel('City').fill('Mysuru')
    await cart.getByLabel('Country').selectOption('India')
    await cart.getByLabel('State or region').selectOption('Karnataka')
    await cart.getByRole('button', { name: 'Deliver to this address' }).click()
    await expect(payment(page).getByRole('radio')).toHaveCount(1)
    await expect(payment(page).getByRole('radio', { name: 'Pay on delivery' })).toBeChecked()
    await expect(total(page)).toContainText('$14.50')
    await button(page, 'Place Order').click()
    await expect(page.getByText('Your order is placed.')).toBeVisible()
    await expect(page.getByRole('article', { name: /^Order \d+$/ })).toContainText('14.50')
  })
})
