/** Adding to the cart, on a card and on the page of a product: it interrupts nothing. */
import type { Locator, Page } from '@playwright/test'
import { DOUBLE_CLICK_MS } from '#app/cart/model.ts'
import { productCalls, productPath } from '#app/products/contract.ts'
import { DEMO_ADMIN } from '#demo/accounts.ts'
import { breakCall, createProduct, named } from '#tests/support/back-office.ts'
import { addToCart, productsInStock, stored } from '#tests/support/cart.ts'
import { expect, logIn, test } from '#tests/support/journey.ts'

const toast = (page: Page) => page.getByRole('status').getByText('Item Added to Cart')

async function boxOf(target: Locator) {
  const box = await target.boundingBox()
  if (!box) throw new Error(`not shown: ${target}`)
  return box
}

/** Fails where one is over the other. */
async function expectApart(one: Locator, other: Locator) {
  const [a, b] = [await boxOf(one), await boxOf(other)]
  const isApart =
    a.y + a.height <= b.y || b.y + b.height <= a.y || a.x + a.width <= b.x || b.x + b.width <= a.x
  expect(isApart, `${one} covers ${other}`).toBe(true)
}

test('the toast takes no focus, covers nothing in use, and similar products are added at once', {
  tag: ['@journey', '@phone'],
}, async ({ page, call }) => {
  const [product] = await productsInStock(call, 1)
  if (!product) throw new Error('no product')
  await page.goto(productPath(product))
  const add = page.getByRole('button', { name: 'ADD TO CART', exact: true })
  await add.click()
  await expect(toast(page)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.locator(':focus').filter({ has: toast(page) })).toHaveCount(0)
  const used = [
    add,
    page.getByRole('banner').getByRole('searchbox'),
    page.getByRole('link', { name: /^Cart/ }),
  ]
  for (const control of used) await expectApart(toast(page), control)

  const similar = page
    .getByRole('button', { name: 'Add to Cart', exact: true, disabled: false })
    .first()
  await addToCart(similar)
  await expectApart(toast(page), similar)
  await addToCart(add)
  await expect(page.getByRole('link', { name: /^Cart/ })).toContainText('3')
  const ids = (await stored(page, 'cart')).map(({ _id }: { _id: string }) => _id)
  expect(ids.filter((id: string) => id === product._id)).toHaveLength(2)
  await page.getByRole('main').getByRole('link', { name: 'Go to cart' }).click()
  await expect(page).toHaveURL('/cart')
})

test('a double click adds one', { tag: '@journey' }, async ({ page, call }) => {
  const [product] = await productsInStock(call, 1)
  if (!product) throw new Error('no product')
  const badge = page.getByRole('link', { name: /^Cart/ })
  await page.goto('/')
  await page
    .getByRole('article')
    .getByRole('button', { name: 'Add to Cart', disabled: false })
    .first()
    .dblclick()
  await expect(badge).toContainText('1')
  await page.goto(productPath(product))
  const add = page.getByRole('button', { name: 'ADD TO CART', exact: true })
  // as the browser times them: this machine may be busy between two clicks
  await add.evaluate((button: HTMLButtonElement, ms) => {
    for (const timeStamp of [10_000, 10_000 + ms - 1, 10_000 + ms]) {
      const event = new SubmitEvent('submit', {
        bubbles: true,
        cancelable: true,
        submitter: button,
      })
      Object.defineProperty(event, 'timeStamp', { value: timeStamp })
      button.form?.dispatchEvent(event)
    }
  }, DOUBLE_CLICK_MS)
  await expect(badge).toContainText('3')
})

test('a card adds the whole product, whose text is fetched then; without an answer it is added all the same', async ({
  page,
  address,
}) => {
  const description = `Holds **two** cups. ${'Long. '.repeat(40)}`.trim()
  const admin = await logIn(address, DEMO_ADMIN)
  const { _id, name, category } = await createProduct(admin, named('Teapot'), description)
  await page.goto(`/search?q=${encodeURIComponent(name)}`)
  const card = page.getByRole('article').filter({ hasText: name })
  await expect(card).toContainText('Holds two cups.')
  const add = card.getByRole('button', { name: 'Add to Cart' })
  await breakCall(page, productCalls.getProduct)
  await add.click()
  await expect(page.getByRole('link', { name: /^Cart/ })).toContainText('1')
  await page.unrouteAll()
  await addToCart(add)
  const whole = expect.objectContaining({
    _id,
    name,
    price: 12.5,
    quantity: 10,
    category,
    description,
  })
  await expect.poll(() => stored(page, 'cart')).toEqual([whole, whole])
  await page.getByRole('link', { name: /^Cart/ }).click()
  await expect(page.getByText('Holds two cups.')).toBeVisible()
  expect(await stored(page, 'cart')).toEqual([whole, whole])
})
