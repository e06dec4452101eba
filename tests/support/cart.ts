import type { Locator, Page } from '@playwright/test'
import { DOUBLE_CLICK_MS } from '#app/cart/model.ts'
import { type ListedProduct, productCalls } from '#app/products/contract.ts'
import type { Call } from '#app/shared/web/call.ts'
import { expect } from './journey.ts'

/** Enough stock for all journeys, which share one shop: more than products have that journeys create and sell out. */
const PLENTY = 11

/** Products with plenty in stock, as a list returns them. */
export async function productsInStock(call: Call, count: number): Promise<ListedProduct[]> {
  const found: ListedProduct[] = []
  for (let page = 1; found.length < count; page += 1) {
    const { products } = await call(productCalls.listProducts, { params: { page } })
    if (products.length === 0) throw new Error(`Only ${found.length} products have enough stock`)
    found.push(...products.filter(({ quantity }) => quantity >= PLENTY))
  }
  return found.slice(0, count)
}

/** Waits until another click is no second half of a double click, which adds nothing. */
export async function afterDoubleClick(page: Page) {
  const since = await page.evaluate(() => performance.now())
  await page.waitForFunction(
    ([from = 0, ms = 0]) => performance.now() - from >= ms,
    [since, DOUBLE_CLICK_MS],
  )
}

/** Presses Add to Cart, perhaps once more. */
export async function addToCart(button: Locator) {
  await afterDoubleClick(button.page())
  await button.click()
}

/** Writes a value to the browser's storage, like a page of the shop. */
export async function store(page: Page, key: 'auth' | 'cart', value: unknown) {
  // a file of the same origin is there at once
  await page.goto('/robots.txt')
  await page.evaluate(([at, text]) => localStorage.setItem(at, text), [
    key,
    JSON.stringify(value),
  ] as const)
}

/** A value in the browser's storage. */
export const stored = (page: Page, key: 'auth' | 'cart') =>
  page.evaluate((at) => JSON.parse(localStorage.getItem(at) ?? 'null'), key)

/** Opens the cart with these products. */
export async function openCart(page: Page, products: unknown[]) {
  await store(page, 'cart', products)
  await page.goto('/cart')
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
}
