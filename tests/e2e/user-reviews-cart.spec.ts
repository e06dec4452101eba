import type { Quote } from '#app/checkout/contract.ts'
import { setupCalls } from '#app/setup/contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { callAs } from '#tests/support/call-as.ts'
import { openCart, productsInStock, stored } from '#tests/support/cart.ts'
import { codeIn, FIRST_RUN } from '#tests/support/first-run.ts'
import { expect, keepSession, test } from '#tests/support/journey.ts'
import { testInNewShop } from '#tests/support/own-shop.ts'

const QUOTE_CALL = '**/checkout/quote'

test('groups equal things, and takes one at a time', { tag: ['@journey', '@phone'] }, async ({
  page,
  call,
}) => {
  const [cup, pot] = await productsInStock(call, 2)
  await openCart(page, [cup, pot, cup])
  const items = page.getByRole('list', { name: 'Items' }).getByRole('listitem')
  await expect(items).toHaveCount(2)
  const first = items.filter({ hasText: cup?.name })
  await expect(first.getByLabel('Quantity')).toHaveText('2')
  await first.getByRole('button', { name: 'One more' }).click()
  await expect(first.getByLabel('Quantity')).toHaveText('3')
  await expect(page.getByText('You have 4 items in your cart')).toBeVisible()
  await first.getByRole('button', { name: 'One less' }).click()
  await first.getByRole('button', { name: 'Remove' }).click()
  await expect(first.getByLabel('Quantity')).toHaveText('1')
  expect(await stored(page, 'cart')).toHaveLength(2)
  await first.getByRole('button', { name: 'Remove' }).click()
  await expect(items).toHaveCount(1)
})

test('says what has changed since', { tag: '@journey' }, async ({ page, signedIn, call }) => {
  const [cheap, gone, few] = await productsInStock(call, 3)
  if (!cheap || !gone || !few) throw new Error('There are no products')
  await page.route(QUOTE_CALL, async (route) => {
    const answer: Quote = await (await route.fetch()).json()
    for (const { product } of answer.lines) if (product._id === few._id) product.stock = 1
    await route.fulfill({ json: answer })
  })
  const lost = { ...gone, _id: crypto.randomUUID(), slug: 'nothing-has-this-name' }
  await openCart(page, [{ ...cheap, price: 1.5 }, lost, few, few])
  await expect(page.getByText(/The price was \$1\.50 and is/)).toBeVisible()
  await expect(page.getByText('No longer sold')).toBeVisible()
  await expect(page.getByText('Only 1 left')).toBeVisible()
  const pay = page.getByRole('button', { name: 'Make Payment' })
  await expect(pay).toBeDisabled()
  await expect(pay).toHaveAccessibleDescription('Remove the unavailable items first.')
  // the rest is quoted again, by the answer that this test changes
  const requoted = page.waitForResponse(QUOTE_CALL)
  await page.getByRole('button', { name: 'Remove unavailable items' }).click()
  await expect(page.getByText('You have 2 items in your cart')).toBeVisible()
  await expect(pay).toBeEnabled()
  await expect(page.getByText(signedIn.user.address)).toBeVisible()
  await requoted
})

test('a price that changes while the cart is open is said before paying', async ({
  page,
  signedIn,
  call,
}) => {
  const [product] = await productsInStock(call, 1)
  await page.route(QUOTE_CALL, (route) => route.fulfill({ status: 429, body: '{}' }))
  await openCart(page, [{ ...product, price: 1.5 }])
  await expect(page.getByRole('heading', { name: signedIn.user.name })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await page.unroute(QUOTE_CALL)
  await page.getByRole('button', { name: 'Make Payment' }).click()
  await expect(page.getByText('A price has changed.')).toBeVisible()
  await expect(page.getByText(/The price was \$1\.50 and is/)).toBeVisible()
})

testInNewShop(
  'without an address there is only the way to the profile',
  async ({ page, context, shop, address }) => {
    // the first run asks the owner for no address
    const body = { ...FIRST_RUN, code: codeIn(shop.written()) }
    const { user, token } = await callAs(address)(setupCalls.makeFirstAdmin, { body })
    const { email, password } = FIRST_RUN
    const owner = { user, token, email, password, answer: '', call: callAs(address, token) }
    const cup = await createProduct(owner, named('Cup'))
    // an address that this browser stored counts as little as one that it lacks
    const stale = { ...owner, user: { ...user, address: '1 Market Lane, Pune' } }
    await keepSession(context, address, stale)
    await openCart(page, [cup])
    await expect(page.getByText('We do not know yet where to deliver.')).toBeVisible()
    await expect(page.getByLabel('Bill to another address')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Make Payment' })).toBeHidden()
    await page.getByRole('button', { name: 'Update Address' }).click()
    await expect(page).toHaveURL('/dashboard/user/profile')
    await page.getByLabel('Address').fill('1 Market Lane, Pune')
    await page.getByRole('button', { name: 'UPDATE' }).click()
    await expect(page.getByText('Profile Updated Successfully')).toBeVisible()
    await page.goto('/cart')
    await expect(page.getByRole('button', { name: 'Make Payment' })).toBeEnabled()
  },
)

test('an ended session leads to the log-in', async ({ page, signedIn, call }) => {
  await openCart(page, await productsInStock(call, 1))
  const ended = { user: signedIn.user, token: 'ended' }
  await page.evaluate((auth) => localStorage.setItem('auth', auth), JSON.stringify(ended))
  await page.reload()
  await page.getByRole('button', { name: 'Make Payment' }).click()
  await expect(page.getByText('Please log in.')).toBeVisible()
  await page.getByText('Please Login to Checkout').click()
  await expect(page).toHaveURL('/login')
})
