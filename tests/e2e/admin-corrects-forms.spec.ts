import type { Page } from '@playwright/test'
import { productCalls } from '#app/products/contract.ts'
import { settingsAdminCalls } from '#app/settings/admin-contract.ts'
import { createCategory, createProduct, named } from '#tests/support/back-office.ts'
import { expect, test, type Visitor } from '#tests/support/journey.ts'
import { test as testInOwnShop } from '#tests/support/own-shop.ts'
import { addPlace } from '#tests/support/places.ts'

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const field = (page: Page, name: string) =>
  page.getByLabel(name, { exact: true }).filter({ visible: true })
const toasts = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

/** Waits until exactly these fields say that they are refused. */
async function expectRefused(page: Page, refused: Record<string, string>) {
  for (const [name, message] of Object.entries(refused))
    await expect(page.getByRole('main').getByLabel(name).first()).toHaveAccessibleDescription(
      new RegExp(`^${message}`),
    )
  await expect(page.locator('[aria-invalid=true]')).toHaveCount(Object.keys(refused).length)
}

test('an empty product form is refused at each field, until the field is filled', {
  tag: '@phone',
}, async ({ page, admin }) => {
  const category = await createCategory(admin, named('Cups'))
  await page.goto('/dashboard/admin/create-product')
  await press(page, 'CREATE PRODUCT')
  const refused = {
    Category: 'Category is required.',
    Name: 'Name is required.',
    Description: 'Description is required.',
    Price: 'Price is required.',
    Quantity: 'Quantity is required.',
  }
  await expectRefused(page, refused)
  await expect(toasts(page, 'Name is required.')).toBeVisible()
  await expect(field(page, 'Name')).toBeFocused()
  const { Name: _, ...others } = refused
  await field(page, 'Name').fill('C')
  await expectRefused(page, others)
  await page.getByRole('combobox', { name: 'Category', exact: true }).fill(category.name.slice(2))
  await page.getByRole('option', { name: category.name }).click()
  await field(page, 'Description').fill('Holds tea.')
  await field(page, 'Quantity').fill('1')
  await expectRefused(page, { Price: 'Price is required.' })

  await field(page, 'Quantity').fill('-1')
  await field(page, 'Price').fill('1.234')
  await press(page, 'CREATE PRODUCT')
  await expectRefused(page, {
    Price: '“1.234” can be read in two ways. Enter 1234.00 or 1.23.',
    Quantity: 'Quantity must be at least 0.',
  })
})

test('a price is typed with comma or point, and shown as the shop writes it', async ({
  page,
  admin,
  call,
}) => {
  const { slug } = await createProduct(admin, named('Clay cup'))
  const price = async () =>
    (await call(productCalls.getProduct, { params: { slug } })).product.price
  await page.goto(`/dashboard/admin/product/${slug}`)
  await expect(field(page, 'Price')).toHaveValue('12.50')
  await expect(field(page, 'Price')).toHaveAccessibleDescription('$')
  await field(page, 'Price').fill('4,90')
  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()
  expect(await price()).toBe(4.9)
  await page.goto(`/dashboard/admin/product/${slug}`)
  await field(page, 'Price').fill('1,234.50')
  await press(page, 'UPDATE PRODUCT')
  await expect(page.getByText('Product Updated Successfully')).toBeVisible()
  expect(await price()).toBe(1234.5)
})

test('a discount is refused at each field', async ({ page, admin: _ }) => {
  await page.goto('/dashboard/admin/create-coupon')
  await press(page, 'Create discount')
  await expectRefused(page, {
    Code: 'Code is required.',
    Percentage: 'Percentage is required.',
  })
  await field(page, 'Code').fill('a b')
  await page.getByLabel('What it gives').selectOption('An amount off')
  await field(page, 'Amount').fill('1,2,3')
  await field(page, 'First day').fill('2026-02-02')
  await field(page, 'Last day').fill('2026-02-01')
  await press(page, 'Create discount')
  await expectRefused(page, {
    Code: 'Code must have 3 to 40 letters, digits and hyphens.',
    Amount: 'Enter an amount, such as 4.90.',
    'Last day': 'The last day is before the first day.',
  })
})

test('a registration is refused at each field, and nothing is sent', async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await page.goto('/register')
  await field(page, 'Email').fill('asha')
  await field(page, 'Password').fill('short')
  await press(page, 'REGISTER')
  await expectRefused(page, {
    Name: 'Name is required.',
    Email: 'Email is not valid.',
    Password: 'Password must have at least 8 characters.',
    Phone: 'Phone is required.',
    Address: 'Address is required.',
    Answer: 'Answer is required.',
  })
  await expect(field(page, 'Name')).toBeFocused()
  expect(sent).toEqual([])
})

async function useGermanPrices(admin: Visitor) {
  const { revision, settings } = await admin.call(settingsAdminCalls.getAllSettings)
  const body = { revision, settings: { ...settings, locale: 'de-DE', currencyDisplay: 'EUR' } }
  await admin.call(settingsAdminCalls.saveSettings, { body })
}

testInOwnShop(
  'a German shop types its money with commas in every form',
  async ({ page, admin }) => {
    await useGermanPrices(admin)
    const { slug } = await createProduct(admin, 'Bowl')
    await page.goto(`/dashboard/admin/product/${slug}`)
    await expect(field(page, 'Price')).toHaveValue('12,50')
    await expect(field(page, 'Price')).toHaveAccessibleDescription('€')
    await field(page, 'Price').fill('1.234,56')
    await press(page, 'UPDATE PRODUCT')
    await expect(page.getByText('Product Updated Successfully')).toBeVisible()
    await expect(field(page, 'Price')).toHaveValue('1234,56')

    await page.goto('/dashboard/admin/shipping/new')
    await press(page, 'Save zone')
    await expectRefused(page, {
      Name: 'Enter a name.',
      Places: 'Add a place, or make this the default zone.',
      'Name ': 'Enter a name.',
      Price: 'Enter a price.',
    })
    await field(page, 'Name').first().fill('Germany')
    await addPlace(page, 'Germany')
    await page.getByRole('group', { name: 'Rate 1' }).getByLabel('Name').fill('Parcel')
    await field(page, 'Price').fill('4,9,0')
    await press(page, 'Save zone')
    await expectRefused(page, { Price: 'Enter an amount, such as 4,90.' })
    await field(page, 'Price').fill('4,90')
    await field(page, 'Free from').fill('100')
    await expect(field(page, 'Price')).toHaveAccessibleDescription('€')
    await press(page, 'Save zone')
    await press(page, 'Deliver only there')
    await expect(page.getByRole('main')).toContainText('4,90')
    await page.getByRole('link', { name: 'Edit' }).click()
    await expect(field(page, 'Price')).toHaveValue('4,90')
    await expect(field(page, 'Free from')).toHaveValue('100,00')

    await page.goto('/dashboard/admin/create-coupon')
    await field(page, 'Code').fill('TEA-2026')
    await page.getByLabel('What it gives').selectOption('An amount off')
    await field(page, 'Amount').fill('2,50 €')
    await field(page, 'In carts from').fill('20')
    await press(page, 'Create discount')
    await expect(page.getByRole('row').filter({ hasText: 'TEA-2026' })).toContainText('2,50')
    await page.getByRole('link', { name: 'TEA-2026' }).click()
    await expect(field(page, 'Amount')).toHaveValue('2,50')
    await expect(field(page, 'In carts from')).toHaveValue('20,00')
  },
)
