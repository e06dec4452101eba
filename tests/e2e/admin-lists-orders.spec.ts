/** The list of orders, which shows what the user's list shows (spec §2). */
import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import { buy } from '#tests/support/purchase.ts'

const DESCRIPTION = 'Holds a quarter of a litre of tea, and keeps it warm for an hour.'

test('a row names its products and opens to them, and one switch opens all', {
  tag: '@phone',
}, async ({ page, admin, customer }) => {
  const cup = await createProduct(admin, named('Cup'), DESCRIPTION)
  const bowl = await createProduct(admin, named('Bowl'))
  const second = await buy(customer, [bowl])
  const first = await buy(customer, [cup, cup, bowl])
  await page.goto(`/dashboard/admin/orders?q=${encodeURIComponent(customer.email)}`)
  const row = (number: number) =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: `Order ${number}`, exact: true }) })
  const products = (number: number) =>
    row(number)
      .getByRole('button', { name: cup.name })
      .or(row(number).getByRole('button', { name: bowl.name }))
  await expect(row(first.number)).toContainText('just now')
  await expect(row(first.number).getByRole('time').first()).toBeVisible()
  await expect(products(first.number)).toHaveText(`2 × ${cup.name}, ${bowl.name}`)
  await expect(products(first.number).locator('img')).toHaveCount(2)

  const opened = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  await products(first.number).press('Enter')
  await expect(page).toHaveURL(/\/orders\?q=/)
  await expect(products(first.number)).toHaveAttribute('aria-expanded', 'true')
  await expect(opened(cup.name)).toContainText('Holds a quarter of a litre of ...')
  await expect(opened(cup.name)).toContainText('2 × $12.50')
  await expect(opened(cup.name).locator('img')).toBeVisible()
  await expect(opened(bowl.name)).toHaveCount(1)
  await products(first.number).click()
  await expect(opened(cup.name)).toHaveCount(0)

  const all = page.getByRole('switch', { name: 'Show all products' })
  await all.check()
  await expect(opened(bowl.name)).toHaveCount(2)
  await page.reload()
  await expect(opened(bowl.name)).toHaveCount(2)
  await products(second.number).click()
  await expect(opened(bowl.name)).toHaveCount(1)
  await all.uncheck()
  await expect(opened(bowl.name)).toHaveCount(0)
})

test('fifteen orders are in view, with date, customer, products, payment and status', async ({
  page,
  admin,
  customer,
}) => {
  const cup = await createProduct(admin, named('Cup of a name that needs more room than there is'))
  await admin.call(orderAdminCalls.getAllOrders, { query: {} })
  for (let at = 0; at < 5; at++) await buy(customer, [cup])
  const orders = await admin.call(orderAdminCalls.getAllOrders, { query: { q: customer.email } })
  const fifteen = Array.from({ length: 15 }, (_, at) => ({
    ...orders[at % orders.length],
    _id: crypto.randomUUID(),
  }))
  await page.route('**/auth/all-orders?*', (route) =>
    route.fulfill({ json: fifteen, headers: { 'x-total-count': '15' } }),
  )
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto('/dashboard/admin/orders')
  const last = page.getByRole('main').getByRole('row').last()
  await expect(last.getByLabel(/^Status of order/)).toBeVisible()
  await expect(last).toBeInViewport({ ratio: 1 })
  // nothing of it is behind the edge of the list
  await expect(last.getByLabel(/^Status of order/)).toBeInViewport({ ratio: 1 })
})

/** Whether the beginning of a text within an element is shown in the element's only line. */
const isShown = (element: Element, beginning: string) => {
  const [text] = element.childNodes
  const range = document.createRange()
  const at = text?.textContent?.indexOf(beginning) ?? -1
  if (!text || at < 0) return false
  range.setStart(text, at)
  range.setEnd(text, at + beginning.length)
  const [name, line] = [range.getBoundingClientRect(), element.getBoundingClientRect()]
  return name.bottom <= line.bottom + 1 && name.right <= line.right + 1
}

for (const width of [390, 768, 1280]) {
  test(`at ${width} pixels a row names a product of which several were bought`, async ({
    page,
    admin,
    customer,
  }) => {
    const bowl = await createProduct(admin, named('Earthenwaremixingbowl'))
    await buy(customer, [bowl, bowl])
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/dashboard/admin/orders?q=${encodeURIComponent(customer.email)}`)
    const products = page.getByRole('button', { name: bowl.name }).locator('span')
    await expect(products).toHaveText(`2 × ${bowl.name}`)
    expect(await products.evaluate(isShown, 'Earth')).toBe(true)
  })

  test(`at ${width} pixels a row has the customer and what is to be sent`, async ({
    page,
    admin,
    customer,
  }) => {
    const { number } = await buy(customer, [await createProduct(admin, named('Cup'))])
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/dashboard/admin/orders?q=${encodeURIComponent(customer.email)}`)
    const row = page
      .getByRole('row')
      .filter({ has: page.getByRole('link', { name: `Order ${number}`, exact: true }) })
    await expect(row.getByText(customer.user.name).filter({ visible: true })).toHaveCount(1)
    await expect(row.getByText('To send', { exact: true }).filter({ visible: true })).toHaveCount(1)
  })
}
