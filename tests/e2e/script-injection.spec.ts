import type { Page } from '@playwright/test'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { productPath } from '#app/products/contract.ts'
import { store } from '#tests/support/cart.ts'
import { expect, test } from '#tests/support/journey.ts'
import { buy, sellForMoney } from '#tests/support/purchase.ts'

/** Ends the surrounding markup, and then runs a script. */
const HOSTILE = [
  '</script><script>injected()</script>',
  '</title></textarea><!--<script>',
  '"><img src=x onerror=injected()>',
  "' onmouseover=injected() x='",
  '{{injected()}}\u2028&lt;b&gt;',
].join('')

/** A unique text that would run. */
const hostile = (word: string) => `${word}${crypto.randomUUID().slice(0, 6)}${HOSTILE}`

/** The beginning of a text, for places that truncate it. */
const start = (text: string) => text.slice(0, 40)

/** Checks that no injected element is part of the page. */
async function expectOnlyText(page: Page) {
  const found = await page.evaluate(() => ({
    broken: document.querySelectorAll('img[src="x"], [onerror], [onmouseover]').length,
    scripts: [...document.scripts].filter(({ text }) => text.trim() === 'injected()').length,
    ran: 'wasInjected' in window,
  }))
  expect(found).toEqual({ broken: 0, scripts: 0, ran: false })
}

/** Reports every injected script that runs, and every violation of the policy. */
async function watch(page: Page): Promise<string[]> {
  const told: string[] = []
  await page.exposeFunction('tell', (what: string) => told.push(what))
  await page.addInitScript(() => {
    Object.assign(window, { injected: () => Object.assign(window, { wasInjected: true }) })
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      Object(window).tell(`${violatedDirective}: ${blockedURI}`),
    )
  })
  return told
}

async function see(page: Page, path: string, ...texts: string[]) {
  await page.goto(path)
  for (const text of texts) await expect(page.getByText(text).first()).toBeAttached()
  await expectOnlyText(page)
}

test('texts of users are shown as text', async ({ page, admin, customer }) => {
  test.slow()
  const told = await watch(page)
  const shelf = hostile('Shelf').slice(0, 100)
  const name = hostile('Cup')
  const description = hostile('Tea')
  const { category } = await admin.call(categoryAdminCalls.createCategory, {
    body: { name: shelf },
  })
  const body = {
    name,
    description,
    price: 12.5,
    quantity: 100,
    category: category._id,
    shipping: 0,
  }
  const { products: product } = await admin.call(productAdminCalls.createProduct, { body })

  // the customer's texts, by the form
  const person = hostile('Asha')
  const home = hostile('Lane')
  await store(page, 'auth', { user: customer.user, token: customer.token })
  await page.goto('/dashboard/user/profile')
  await page.getByLabel('Name').fill(person)
  await page.getByLabel('Phone').fill(HOSTILE.slice(0, 50))
  await page.getByLabel('Address').fill(home)
  await page.getByRole('button', { name: 'UPDATE' }).click()
  await expect(page.getByText('Profile Updated Successfully')).toBeVisible()
  const { _id: orderId } = await buy(customer, [product])
  // more pieces than any other journey buys, so it is among the best sellers
  await sellForMoney(customer, product, { quantity: 50 })
  await see(page, '/dashboard/user', start(person), start(home))
  await see(page, '/dashboard/user/orders', start(name))

  // the pages of the shop
  // other journeys' products may come first on the unfiltered home page
  await see(page, `/?category=${category._id}`, start(name))
  await see(page, '/categories', start(shelf))
  await see(page, `/category/${encodeURIComponent(category.slug)}`, start(shelf))
  await see(page, productPath(product), start(name), start(description))
  await expect(page).toHaveTitle(/^Cup.*<\/script><script>injected\(\)/)
  const described = await page.locator('script[type="application/ld+json"]').first().textContent()
  expect(JSON.parse(described ?? '')).toMatchObject({ name, description, category: shelf })
  await see(page, `/search?q=${encodeURIComponent(name)}`, start(name))
  await expect(page.getByRole('searchbox')).toHaveValue(name)
  await page.evaluate((cart) => localStorage.setItem('cart', cart), JSON.stringify([product]))
  await see(page, '/cart', start(name), start(person), start(home))

  // the back office
  await page.evaluate(
    (session) => localStorage.setItem('auth', session),
    JSON.stringify({ user: admin.user, token: admin.token }),
  )
  await see(page, '/dashboard/admin', start(name))
  await see(page, `/dashboard/admin/create-category?q=${encodeURIComponent(shelf)}`, start(shelf))
  await see(page, '/dashboard/admin/products', start(name))
  await see(page, `/dashboard/admin/users?q=${encodeURIComponent(customer.email)}`, start(person))
  await see(page, `/dashboard/admin/users/${customer.user._id}`, start(person))
  const orders = `/dashboard/admin/orders?q=${encodeURIComponent(customer.email)}`
  await see(page, orders, start(person))
  await see(page, `/dashboard/admin/orders/${orderId}`, start(person), start(name))
  await page.goto(`/dashboard/admin/product/${encodeURIComponent(product.slug)}`)
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue(name)
  await expectOnlyText(page)

  expect(told).toEqual([])
  await admin.call(productAdminCalls.deleteProduct, { params: { id: product._id } })
  await admin.call(categoryAdminCalls.deleteCategory, { params: { id: category._id } })
})

test('an import brings no markup in', async ({ page, admin }) => {
  expect(admin.user.role).toBe(1)
  const told = await watch(page)
  const shelf = hostile('Shelf').slice(0, 90).replaceAll('"', '""')
  await page.goto('/dashboard/admin/import-export')
  await page.getByLabel('CSV file').setInputFiles({
    name: `${HOSTILE.slice(0, 20).replaceAll('/', '')}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(`name,description,price,quantity,category\r\nCup,Tea,1,1,"${shelf}"\r\n`),
  })
  await page.getByRole('button', { name: 'Check the file' }).click()
  const wrong = page.getByRole('table', { name: 'Invalid rows' })
  await expect(wrong.getByRole('row').last()).toContainText('</script>')
  await expectOnlyText(page)
  expect(told).toEqual([])
})
