import type { Page } from '@playwright/test'
import { profileCalls } from '#app/accounts/profile-contract.ts'
import { orderCalls } from '#app/orders/contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { shippingAdminCalls } from '#app/shipping/admin-contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { openCart, productsInStock } from '#tests/support/cart.ts'
import { expect, test as journey, keepSession, type Visitor } from '#tests/support/journey.ts'
import { test } from '#tests/support/own-shop.ts'
import { confirm } from '#tests/support/payment-dialog.ts'
import { INDIA } from '#tests/support/shipping.ts'

/** A product that is shipped, in a shop that delivers to India only. */
async function createShipped(admin: Visitor) {
  await admin.call(shippingAdminCalls.createZone, { body: INDIA })
  const { _id: id, slug } = await createProduct(admin, named('Lamp'))
  await admin.call(productAdminCalls.updateProduct, { params: { id }, body: { shipping: 1 } })
  return (await admin.call(productCalls.getProduct, { params: { slug } })).product
}

const summary = (page: Page) => page.getByRole('complementary', { name: 'Summary' })
const BILLED = 'Billed to Rivera & Sons, Rosenweg 5, 1010 Wien, Austria'

async function enterDelivery(page: Page) {
  const form = summary(page).getByRole('region', { name: 'Deliver to' })
  // an own address is that of the next order, too, and a present's is not
  const remember = form.getByLabel(/^Remember this address/)
  await expect(remember).toBeChecked()
  await form.getByLabel('Recipient', { exact: true }).fill('Meera Rao')
  await expect(remember).not.toBeChecked()
  await form.getByLabel('Street and number').fill('7 Temple Road')
  await form.getByLabel('City').fill('Mysuru')
  // its countries are loaded, and their regions with it
  await expect(form.getByLabel('Country')).toHaveValue('IN')
  await form.getByLabel('State or region').selectOption('Karnataka')
  await form.getByLabel("Recipient's phone").fill('555 0177')
  await form.getByRole('button', { name: 'Deliver to this address' }).click()
  await expect(form.getByText('7 Temple Road, Mysuru, Karnataka, India')).toBeVisible()
}

async function enterBilling(page: Page) {
  const form = summary(page).getByRole('region', { name: 'Bill to' })
  await form.getByLabel('Name or company').fill('Rivera & Sons')
  await form.getByLabel('Street and number').fill('Rosenweg 5')
  await form.getByLabel('Postal code').fill('1010')
  await form.getByLabel('City').fill('Wien')
  await form.getByLabel('Country').selectOption('Austria')
  await form.getByRole('button', { name: 'Bill to this address' }).click()
  await expect(form.getByText('Rosenweg 5, 1010 Wien, Austria')).toBeVisible()
}

test('a present is sent to somebody else and billed to the buyer', {
  tag: ['@journey', '@phone'],
}, async ({ page, context, address, admin, customer }) => {
  // a shop of its own, and from the cart to the packing slip
  test.slow()
  const product = await createShipped(admin)
  await keepSession(context, address, customer)
  await openCart(page, [product])
  await enterDelivery(page)
  const cart = summary(page)
  const pay = cart.getByRole('button', { name: 'Make Payment' })
  await expect(pay).toBeEnabled()
  const isBilled = cart.getByLabel('Bill to another address')
  await expect(isBilled).not.toBeChecked()

  await isBilled.check()
  await expect(cart.getByText('Please enter the billing address first.')).toBeVisible()
  const form = cart.getByRole('region', { name: 'Bill to' })
  await expect(form.getByLabel('Name or company')).toHaveValue('Asha Rao')
  // to a country that the shop does not deliver to
  await enterBilling(page)
  await expect(form.getByRole('heading', { name: 'Bill to' })).toBeFocused()
  await page.reload()
  await expect(form.getByText('Rosenweg 5, 1010 Wien, Austria')).toBeVisible()
  await expect(isBilled).toBeChecked()
  await pay.click()
  await confirm(page)

  await expect(page).toHaveURL('/dashboard/user/orders')
  const order = page.getByRole('article', { name: /^Order \d+$/ })
  await expect(order).toContainText(
    'Delivery to Meera Rao, 7 Temple Road, Mysuru, Karnataka, India',
  )
  await expect(order).toContainText(BILLED)
  await order.getByRole('link', { name: /^Invoice/ }).click()
  const buyer = page.getByRole('region', { name: 'Bill to' })
  await expect(buyer).toContainText('Rivera & Sons')
  await expect(buyer).toContainText('Rosenweg 5, 1010 Wien, Austria')
  await expect(page.getByRole('region', { name: 'Deliver to' })).toContainText('Meera Rao')

  const { user } = await customer.call(profileCalls.getProfile)
  expect(user).not.toHaveProperty('delivery')
  const [placed] = await customer.call(orderCalls.getOrders, { query: {} })
  await keepSession(context, address, admin)
  await page.goto(`/dashboard/admin/orders?q=${encodeURIComponent('rivera &')}`)
  const link = page.getByRole('link', { name: `Order ${placed?.number}` })
  const row = page.getByRole('row').filter({ has: link })
  const names = row.getByText('Asha Rao').filter({ visible: true })
  await expect(names).toContainText('Billed to Rivera & Sons')
  await link.click()
  await expect(page.getByText('Rosenweg 5, 1010 Wien, Austria')).toBeVisible()
  await page.getByRole('link', { name: 'Packing slip' }).click()
  await expect(page.getByText('7 Temple Road, Mysuru, Karnataka, India')).toBeVisible()
  await expect(page.getByText('Rosenweg')).toHaveCount(0)
})

journey(
  'a billing address that is not wanted any more is not asked for, and not on the order',
  async ({ page, signedIn, call }) => {
    await openCart(page, await productsInStock(call, 1))
    const cart = summary(page)
    const isBilled = cart.getByLabel('Bill to another address')
    const pay = cart.getByRole('button', { name: 'Make Payment' })
    await isBilled.check()
    await expect(cart.getByLabel('Name or company')).toHaveValue(signedIn.user.name)
    await expect(pay).toBeDisabled()
    await isBilled.uncheck()
    await expect(cart.getByLabel('Name or company')).toBeHidden()
    await pay.click()
    await confirm(page)
    await expect(page).toHaveURL('/dashboard/user/orders')
    const order = page.getByRole('article', { name: /^Order \d+$/ })
    await expect(order).toContainText('Delivery to')
    await expect(order).not.toContainText('Billed to')
  },
)

journey(
  'a billing address that was entered is on the order, also when its form cannot be loaded',
  async ({ page, signedIn, call }) => {
    await openCart(page, await productsInStock(call, 1))
    const isBilled = summary(page).getByLabel('Bill to another address')
    await isBilled.check()
    const pay = summary(page).getByRole('button', { name: 'Make Payment' })
    const lost = '**/assets/checkout-panel-*.js'
    const loseForm = async () => {
      await page.route(lost, (route) => route.abort('internetdisconnected'))
      await page.reload()
    }
    await loseForm()
    await expect(
      summary(page).getByText('The form for the billing address could not be loaded.'),
    ).toBeVisible()
    await expect(pay).toBeDisabled()
    await page.unroute(lost)
    await page.reload()
    await enterBilling(page)
    await loseForm()
    await pay.click()
    await confirm(page)
    await expect(page).toHaveURL('/dashboard/user/orders')
    const [order] = await signedIn.call(orderCalls.getOrders, { query: {} })
    expect(order?.billing).toMatchObject({ name: 'Rivera & Sons' })
  },
)
