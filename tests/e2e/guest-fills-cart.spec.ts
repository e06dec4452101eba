import type { Page } from '@playwright/test'
import { type ListedProduct, PAGE_SIZE, productCalls } from '#app/products/contract.ts'
import type { Call } from '#app/shared/web/call.ts'
import { addToCart } from '#tests/support/cart.ts'
import { expect, test } from '#tests/support/journey.ts'

/** Products on the first page of home with at least two pieces in stock. */
async function inStock(call: Call): Promise<[ListedProduct, ListedProduct]> {
  const { products } = await call(productCalls.listProducts, { params: { page: 1 } })
  const [one, other] = products.filter(({ quantity }) => quantity > 2)
  if (!one || !other) throw new Error('Not enough in stock for this test.')
  return [one, other]
}

const add = (page: Page, { name }: ListedProduct) =>
  addToCart(
    page
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name, exact: true }) })
      .getByRole('button', { name: 'Add to Cart' }),
  )

const badge = (page: Page) => page.getByRole('navigation').getByRole('link', { name: /^Cart/ })
const storedCart = (page: Page) =>
  page.evaluate<{ _id: string }[]>(() => JSON.parse(localStorage.getItem('cart') ?? 'null'))
const dollars = (amount: number) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(amount)

test('an empty cart counts 0', async ({ page }) => {
  await page.goto('/cart')
  await expect(badge(page)).toContainText('0')
  await expect(badge(page)).toHaveAccessibleName('Cart 0 items')
  await expect(page.getByRole('button', { name: 'Make Payment' })).toHaveCount(0)
})

test('adds, sees the total, removes one at a time', { tag: ['@journey', '@phone'] }, async ({
  page,
  call,
}) => {
  const [one, other] = await inStock(call)
  await page.goto('/')
  await expect(page.getByRole('article')).toHaveCount(PAGE_SIZE)
  await add(page, one)
  await expect(page.getByText('Item Added to Cart').first()).toBeVisible()
  await add(page, one)
  await add(page, other)
  await expect(badge(page)).toContainText('3')
  const stored = await storedCart(page)
  expect(stored.map(({ _id }) => _id)).toEqual([one._id, one._id, other._id])
  expect(stored[0]).toMatchObject({ name: one.name, price: one.price, slug: one.slug })

  await badge(page).click()
  const items = page.getByRole('list', { name: 'Items' }).getByRole('listitem')
  await expect(items).toHaveCount(2)
  const total = page.getByRole('complementary', { name: 'Summary' })
  await expect(total).toContainText(dollars(one.price * 2 + other.price))
  await items.first().getByRole('button', { name: 'Remove' }).click()
  await expect(total).toContainText(dollars(one.price + other.price))
  await items.first().getByRole('button', { name: 'Remove' }).click()
  await expect(items).toHaveCount(1)
  await expect(badge(page)).toContainText('1')
  expect((await storedCart(page)).map(({ _id }) => _id)).toEqual([other._id])
})

test('the cart is still there after a reload and in another tab', { tag: '@journey' }, async ({
  page,
  call,
  context,
}) => {
  const [one] = await inStock(call)
  await page.goto('/')
  const second = await context.newPage()
  await second.goto('/cart')
  await expect(badge(second)).toContainText('0')
  await add(page, one)
  await expect(badge(second)).toContainText('1')
  await page.reload()
  await expect(badge(page)).toContainText('1')
})

test('what is sold out cannot be added, and the button says so', async ({ page, call }) => {
  for (let at = 1; ; at += 1) {
    const { products } = await call(productCalls.listProducts, { params: { page: at } })
    if (products.length === 0) throw new Error('Nothing is sold out in the demo.')
    const soldOut = products.find(({ quantity }) => quantity === 0)
    if (!soldOut) continue
    await page.goto(`/product/${encodeURIComponent(soldOut.slug)}`)
    const button = page.getByRole('button', { name: 'ADD TO CART', exact: true })
    const why = `${soldOut.name} is sold out.`
    await expect(page.getByText('Out of stock').first()).toBeVisible()
    await expect(button).toBeDisabled()
    await button.press('Enter')
    await expect(page.getByRole('status').getByText(why)).toBeVisible()
    await expect(button).toBeFocused()
    await expect(badge(page)).toContainText('0')
    return
  }
})

test('a guest is sent to log in before paying', { tag: '@journey' }, async ({ page, call }) => {
  const [one] = await inStock(call)
  await page.goto('/')
  await add(page, one)
  await badge(page).click()
  await page.getByRole('button', { name: 'Please Login to Checkout' }).click()
  await expect(page).toHaveURL('/login')
})

test('an empty cart offers the way to products and nothing else', async ({ page, call }) => {
  const [one] = await inStock(call)
  await page.goto('/')
  await add(page, one)
  const choices = JSON.stringify({ couponCodes: ['NOTHING'] })
  await page.evaluate((text) => sessionStorage.setItem('checkout', text), choices)
  await badge(page).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('button', { name: 'Remove NOTHING' })).toBeVisible()
  await main.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(main.getByText('Your cart is empty')).toBeVisible()
  await expect(main.getByRole('link')).toHaveText(['Look around'])
  await expect(main.getByRole('button')).toHaveCount(0)
  await expect(main.getByText('Total')).toHaveCount(0)
  // its coupon is forgotten with it
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('checkout'))).toBeNull()
})

test('a spoilt cart in the storage is an empty one', async ({ page, address }) => {
  for (const value of ['{', 'null', '{"a":1}', '[null, 3]']) {
    const origins = [{ origin: address, localStorage: [{ name: 'cart', value }] }]
    await page.context().setStorageState({ cookies: [], origins })
    await page.goto('/cart')
    await expect(badge(page)).toContainText('0')
  }
})
