/** Many products are changed at once, with a preview, and it is taken back. */
import type { Page } from '@playwright/test'
import { categoryCalls } from '#app/categories/contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { catalogueCalls } from '#app/products/catalogue-contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { breakCall, createCategory, named } from '#tests/support/back-office.ts'
import { expect, test, type Visitor } from '#tests/support/journey.ts'
import { press as pressKey, tabTo } from '#tests/support/keyboard.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const dialog = (page: Page) => page.getByRole('dialog')

/** A category of three products, and its list. */
async function addCups(admin: Visitor) {
  const { _id: category, name, slug } = await createCategory(admin, named('Cups'))
  for (const [title, price] of [
    ['Clay cup', 10],
    ['Tin cup', 4.5],
    ['Gold cup', 99.99],
  ] as const)
    await admin.call(productAdminCalls.createProduct, {
      body: { name: title, description: 'Holds tea.', price, quantity: 5, category, shipping: 0 },
    })
  const prices = async () => {
    const { products } = await admin.call(productCalls.productsOfCategory, {
      params: { slug },
      query: {},
    })
    return products.map(({ price }) => price)
  }
  return { name, prices, list: `/dashboard/admin/products?category=${category}` }
}

test('raises the prices of a category by five per cent, and takes it back', {
  tag: ['@journey', '@phone'],
}, async ({ page, admin }) => {
  const { prices, list } = await addCups(admin)
  await page.goto(list)
  await page.getByRole('checkbox', { name: 'Select Clay cup' }).check()
  await press(page, 'Select all 3')
  await expect(page.getByText('3 products selected')).toBeVisible()
  await press(page, 'Prices')
  await dialog(page).getByLabel('Percentage').fill('5')
  await expect(dialog(page).getByText('3 products would change.')).toBeVisible()
  const shown = dialog(page).getByRole('listitem')
  await expect(shown).toHaveText([
    'Gold cup$99.99 → $104.99',
    'Tin cup$4.50 → $4.73',
    'Clay cup$10.00 → $10.50',
  ])
  expect(await prices()).toEqual([99.99, 4.5, 10])
  await press(page, 'Change prices')
  await expect(page.getByText('3 products changed.')).toBeVisible()
  await expect(dialog(page)).toHaveCount(0)
  await expect(page.getByRole('table')).toContainText('$104.99')
  expect(await prices()).toEqual([104.99, 4.73, 10.5])

  await press(page, 'Undo')
  await expect(page.getByText('3 products changed back.')).toBeVisible()
  await expect(page.getByRole('table')).toContainText('$99.99')
  expect(await prices()).toEqual([99.99, 4.5, 10])
})

test('a choice after all were selected is that choice alone', async ({ page, admin }) => {
  const { list } = await addCups(admin)
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  const selected = page.getByRole('region', { name: 'Selection' })
  const selectAll = async () => {
    await box('Clay cup').check()
    await press(page, 'Select all 3')
    await expect(selected).toContainText('3 products selected')
  }
  await page.goto(list)
  await selectAll()
  await box('Tin cup').check()
  await expect(selected).toContainText('2 products selected')
  await press(page, 'Clear')

  await selectAll()
  await page.getByRole('link', { name: 'In stock' }).click()
  await expect(selected).toHaveCount(0)
  await box('Tin cup').check()
  await expect(selected).toContainText('1 product selected')
  await page.getByRole('link', { name: 'All', exact: true }).click()
  await expect(selected).toHaveCount(0)
  await box('Clay cup').check()
  await expect(selected).toContainText('1 product selected')
  await press(page, 'Delete')
  await expect(dialog(page).getByRole('listitem')).toHaveText(['Clay cup'])
})

test('all of a category stay those of the category when its name could not be loaded', async ({
  page,
  admin,
}) => {
  const { list } = await addCups(admin)
  await addCups(admin)
  await breakCall(page, categoryCalls.getCategories)
  await page.goto(list)
  await page.getByRole('checkbox', { name: 'Select Clay cup' }).check()
  await press(page, 'Select all 3')
  await press(page, 'Delete')
  await expect(dialog(page).getByRole('listitem')).toHaveText(['Gold cup', 'Tin cup', 'Clay cup'])
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()

  // a search stays in the category, too
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('cup')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/category=.*q=cup|q=cup.*category=/)
  await expect(
    page.getByRole('table').getByRole('checkbox', { name: /^Select .* cup$/ }),
  ).toHaveCount(3)
})

test('takes a change back whose answer was lost', async ({ page, admin }) => {
  const { prices, list } = await addCups(admin)
  await page.goto(list)
  await page.getByRole('checkbox', { name: 'Select Clay cup' }).check()
  await press(page, 'Select all 3')
  await press(page, 'Prices')
  await dialog(page).getByLabel('Percentage').fill('10')
  await expect(dialog(page).getByText('3 products would change.')).toBeVisible()
  await page.route(`**${catalogueCalls.changeProducts.path}`, async (route) => {
    await route.fetch()
    await route.abort('internetdisconnected')
  })
  await press(page, 'Change prices')
  await expect(page.getByText('The products could not be changed.')).toBeVisible()
  await expect.poll(prices).toEqual([109.99, 4.95, 11])
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()
  await press(page, 'Undo')
  await expect(page.getByText('3 products changed back.')).toBeVisible()
  expect(await prices()).toEqual([99.99, 4.5, 10])
})

test('lowers prices by keyboard', async ({ page, admin }) => {
  const { prices, list } = await addCups(admin)
  await page.goto(list)
  await tabTo(page.getByRole('row').filter({ hasText: 'Gold cup' }))
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Space')
  await expect(page.getByText('2 products selected')).toBeVisible()
  await pressKey(page.getByRole('button', { name: 'Prices' }))
  await tabTo(dialog(page).getByRole('combobox', { name: 'Change' }))
  await page.keyboard.type('Lower by an')
  await tabTo(dialog(page).getByLabel('Amount'))
  await page.keyboard.type('5')
  await expect(dialog(page).getByRole('status').first()).toHaveText(
    '1 product would change. 1 product is left out: its value would be out of range.',
  )
  await page.keyboard.press('Enter')
  await expect(page.getByText(/^1 product changed/)).toBeVisible()
  expect(await prices()).toEqual([94.99, 4.5, 10])
  await pressKey(page.getByRole('button', { name: 'Undo' }))
  await expect(page.getByText('1 product changed back.')).toBeVisible()
  expect(await prices()).toEqual([99.99, 4.5, 10])
})

test('adds to the stock, changes the category, and deletes', async ({ page, admin }) => {
  const { list, name } = await addCups(admin)
  const other = await createCategory(admin, named('Mugs'))
  await page.goto(list)
  const select = () => page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  await select()
  await press(page, 'Stock')
  await dialog(page).getByLabel('Quantity').fill('20')
  await dialog(page).getByLabel('Reason').fill('Delivery')
  await expect(dialog(page).getByRole('listitem').first()).toHaveText('Gold cup5 → 25')
  await press(page, 'Change stock')
  await expect(page.getByRole('row').filter({ hasText: 'Tin cup' })).toContainText('25')

  await select()
  await press(page, 'Category')
  await dialog(page)
    .getByRole('combobox', { name: 'Category', exact: true })
    .fill(other.name.slice(2))
  await page.getByRole('option', { name: other.name }).click()
  await expect(dialog(page).getByRole('listitem').first()).toHaveText(
    `Gold cup${name} → ${other.name}`,
  )
  await press(page, 'Change category')
  await expect(page.getByText('No Products Found')).toBeVisible()

  await page.goto(`/dashboard/admin/products?category=${other._id}`)
  await select()
  await press(page, 'Delete')
  await expect(dialog(page).getByRole('heading')).toHaveText('Delete 3 products?')
  await expect(dialog(page).getByRole('listitem')).toHaveText(['Gold cup', 'Tin cup', 'Clay cup'])
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('3 products deleted.')).toBeVisible()
  await expect(page.getByText('No Products Found')).toBeVisible()
})
