import type { Page } from '@playwright/test'
import { createCategory, createProduct, named, photoOf } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'

const CREATE = '/dashboard/admin/create-product'
const LIST = '/dashboard/admin/products'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
const follow = (page: Page, name: string) =>
  page
    .getByRole('navigation', { name: 'Admin Page' })
    .getByRole('link', { name, exact: true })
    .click()
const shown = (page: Page, heading: string) =>
  expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()

/** Reloads, and stays at the browser's prompt. */
async function asksOnReload(page: Page) {
  let asked = false
  page.once('dialog', async (dialog) => {
    // a step back while the prompt is open is lost
    await dialog.dismiss()
    asked = dialog.type() === 'beforeunload'
  })
  await page.evaluate(() => location.reload())
  await expect.poll(() => asked).toBe(true)
}

test.beforeEach(({ admin }) => expect(admin.user.role).toBe(1))

test('is asked before a half-written product is left', { tag: '@journey' }, async ({ page }) => {
  await page.goto(LIST)
  await shown(page, 'All Products')
  await follow(page, 'Create Product')
  await shown(page, 'Create Product')
  await page.getByLabel('Name').fill('Half a cup')
  await follow(page, 'Products')
  await expect(question(page)).toBeVisible()
  await press(page, 'Stay')
  await expect(question(page)).toHaveCount(0)
  await expect(page).toHaveURL(CREATE)
  await expect(page.getByLabel('Name')).toHaveValue('Half a cup')

  await page.goBack()
  await expect(question(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(page).toHaveURL(CREATE)
  await asksOnReload(page)
  await expect(page.getByLabel('Name')).toHaveValue('Half a cup')

  await page.goBack()
  await press(page, 'Leave')
  await expect(page).toHaveURL(LIST)
  await shown(page, 'All Products')
})

test('is asked before a changed product is left, its photo included', async ({ page, admin }) => {
  const { slug } = await createProduct(admin, named('Clay cup'))
  const edit = async () => {
    await page.goto(`/dashboard/admin/product/${slug}`)
    await expect(page.getByRole('combobox', { name: 'Category', exact: true })).toHaveValue(/Cups/)
  }
  await edit()
  await page.getByLabel('Price').fill('13')
  await page.getByLabel('Price').fill('12.5')
  await follow(page, 'Products')
  await expect(page).toHaveURL(LIST)

  await page.goto(CREATE)
  await page.getByLabel('Photo').setInputFiles(await photoOf('#1f5c49'))
  await follow(page, 'Products')
  await press(page, 'Leave')
  await expect(page).toHaveURL(LIST)

  await edit()
  await page.getByLabel('Price').fill('15')
  await page.getByRole('link', { name: 'Duplicate' }).click()
  await press(page, 'Leave')
  await expect(page).toHaveURL(`${CREATE}?copy=${slug}`)

  await edit()
  await page.getByLabel('Price').fill('13')
  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()
  await follow(page, 'Products')
  await expect(page).toHaveURL(LIST)
  await expect(question(page)).toHaveCount(0)

  await edit()
  await page.getByLabel('Price').fill('14')
  await press(page, 'DELETE PRODUCT')
  await page.getByRole('dialog').getByRole('textbox').fill('yes')
  await press(page, 'OK')
  await press(page, 'Delete product')
  await expect(page).toHaveURL(LIST)
  await expect(question(page)).toHaveCount(0)
})

test('keeps what is entered while a product is saved, and saves it next', async ({
  page,
  admin,
}) => {
  const { slug } = await createProduct(admin, named('Clay cup'))
  await page.goto(`/dashboard/admin/product/${slug}`)
  const [price, name] = [page.getByLabel('Price'), page.getByLabel('Name')]
  await price.fill('13')
  const answered = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route('**/update-product/*', async (route) => {
    asked.resolve()
    await answered.promise
    await route.continue()
  })
  await press(page, 'UPDATE PRODUCT')
  await asked.promise
  const renamed = named('Stone cup')
  await name.fill(renamed)
  answered.resolve()
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()
  await expect(name).toHaveValue(renamed)
  await follow(page, 'Products')
  await press(page, 'Stay')

  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  await page.reload()
  await expect(name).toHaveValue(renamed)
  await expect(price).toHaveValue('13.00')
})

test('logs out from a half-written product without a question', async ({ page, admin: _ }) => {
  await page.goto(CREATE)
  await page.getByLabel('Name').fill('Half a cup')
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
})

test('is asked before a changed name of a category is left', async ({ page, admin }) => {
  const { name } = await createCategory(admin, named('Cups'))
  await page.goto(LIST)
  await shown(page, 'All Products')
  await follow(page, 'Create Category')
  const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })
  const form = page.getByRole('dialog', { name: 'Edit category' })
  await row.getByRole('button', { name: 'Edit' }).click()
  await form.getByRole('textbox').fill('Something else')
  // however often: a browser lets a page refuse only the first without a click
  for (let time = 0; time < 3; time += 1) {
    await page.keyboard.press('Escape')
    await expect(question(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question(page)).toHaveCount(0)
  }
  await expect(form.getByRole('textbox')).toHaveValue('Something else')

  await page.goBack()
  await question(page).getByRole('button', { name: 'Stay' }).click()
  await asksOnReload(page)
  await page.keyboard.press('Escape')
  await press(page, 'Leave')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(row).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(LIST)
})

test('leaves and stays by keyboard, and the focus is never lost', async ({ page }) => {
  await page.goto(CREATE)
  await page.getByLabel('Name').fill('Half a cup')
  const way = page
    .getByRole('navigation', { name: 'Admin Page' })
    .getByRole('link', { name: 'Products', exact: true })
  await way.focus()
  await page.keyboard.press('Enter')
  await expect(question(page)).toBeVisible()
  await page.getByRole('button', { name: 'Stay' }).focus()
  await page.keyboard.press('Enter')
  await expect(question(page)).toHaveCount(0)
  await expect(way).toBeFocused()

  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Leave' }).focus()
  await page.keyboard.press('Enter')
  await shown(page, 'All Products')
  await expect(page.getByRole('heading', { level: 1, name: 'All Products' })).toBeFocused()
})

test('leaves by Back from the field that was changed, and the focus is in the page', async ({
  page,
}) => {
  await page.goto(LIST)
  await shown(page, 'All Products')
  await follow(page, 'Create Product')
  await shown(page, 'Create Product')
  const name = page.getByLabel('Name')
  await name.fill('Half a cup')
  await page.goBack()
  await expect(question(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question(page)).toHaveCount(0)
  await expect(name).toBeFocused()

  await page.goBack()
  await expect(question(page)).toBeVisible()
  await page.getByRole('button', { name: 'Leave' }).focus()
  await page.keyboard.press('Enter')
  await shown(page, 'All Products')
  await expect(page.getByRole('heading', { level: 1, name: 'All Products' })).toBeFocused()
})

test('leaves a changed name of a category by keyboard, and the focus is never lost', async ({
  page,
  admin,
}) => {
  const { name } = await createCategory(admin, named('Cups'))
  await page.goto(LIST)
  await shown(page, 'All Products')
  await follow(page, 'Create Category')
  const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name, exact: true }) })
  const edit = row.getByRole('button', { name: 'Edit' })
  const text = page.getByRole('dialog', { name: 'Edit category' }).getByRole('textbox')
  const answer = async (word: 'Leave' | 'Stay') => {
    await expect(question(page)).toBeVisible()
    await page.getByRole('button', { name: word, exact: true }).focus()
    await page.keyboard.press('Enter')
  }
  await edit.focus()
  await page.keyboard.press('Enter')
  await text.fill('Something else')
  await page.keyboard.press('Escape')
  await answer('Stay')
  await expect(text).toBeFocused()
  await page.keyboard.press('Escape')
  await answer('Leave')
  await expect(edit).toBeFocused()

  await page.keyboard.press('Enter')
  await text.fill('Something else')
  await page.goBack()
  await answer('Leave')
  await shown(page, 'All Products')
  await expect(page.getByRole('heading', { level: 1, name: 'All Products' })).toBeFocused()
})
