/** The pages of products and categories in the back office, with what admins make of them. */
import type { Page } from '@playwright/test'
import { breakAllCalls } from './back-office.ts'
import { expect } from './journey.ts'
import { isAsked, press, pressEscape, type States } from './page-states.ts'

const selectLast = (page: Page) =>
  page
    .getByRole('checkbox', { name: /^Select / })
    .last()
    .check()

export const CATALOGUE: States = {
  '/dashboard/admin/create-category': {
    as: 'admin',
    heading: 'Manage Category',
    states: {
      'a dialog': async (page) => {
        await press(page, 'Edit')
        await isAsked(page)
      },
      'a question': async (page) => {
        await page.getByRole('dialog').getByRole('textbox').fill('Something else')
        await pressEscape(page)
        await expect(page.getByRole('button', { name: 'Leave' })).toBeVisible()
      },
    },
  },
  '/dashboard/admin/attributes': {
    as: 'admin',
    heading: 'Attributes',
    states: {
      'the values of a choice': async (page) => {
        await press(page, 'New attribute')
        await page.getByLabel('Add values of the attribute').fill('Oak, Steel')
        await page.keyboard.press('Enter')
        await expect(page.getByRole('button', { name: 'Remove Steel' })).toBeVisible()
      },
      'the unit of a number': async (page) => {
        await page.getByLabel('Kind').selectOption('Number')
        await expect(page.getByLabel('Unit')).toBeVisible()
      },
      'a refused field': async (page) => {
        await press(page, 'Save attribute')
        await expect(page.getByText('Name is required.')).toBeVisible()
      },
    },
  },
  '/dashboard/admin/create-product': {
    as: 'admin',
    heading: 'Create Product',
    states: {
      'an open list': async (page) => {
        await page.getByRole('combobox', { name: 'Category', exact: true }).click()
        await expect(page.getByRole('listbox')).toBeVisible()
      },
    },
    // Base UI hides the page from screen readers while the list is open; see the test of Tab below
    except: ['aria-hidden-focus'],
  },
  '/dashboard/admin/product/:slug': {
    as: 'admin',
    at: ({ product }) => `/dashboard/admin/product/${product.slug}`,
    heading: 'Update Product',
    late: ['stock-table', 'variants-card'],
    states: {
      'a prompt': async (page) => {
        await press(page, 'DELETE PRODUCT')
        await isAsked(page)
      },
      'a question': async (page) => {
        await page.getByLabel('Type anything to continue').fill('yes')
        await press(page, 'OK')
        await expect(
          page.getByRole('button', { name: 'Delete product', exact: true }),
        ).toBeVisible()
      },
      'the history of the stock': async (page) => {
        await pressEscape(page)
        await press(page, 'History of the stock')
        await expect(page.getByRole('dialog').getByRole('table')).toBeVisible()
      },
      'unsaved changes': async (page) => {
        await pressEscape(page)
        await page.getByLabel('Quantity').fill('77')
        await expect(page.getByLabel('Reason')).toBeVisible()
      },
      options: async (page) => {
        await page.getByLabel('New option').fill('Size')
        await page.getByLabel('Values, separated by commas').fill('S, M, L')
        await press(page, 'Add the option')
        await press(page, 'Add 2 variants')
        await expect(page.getByRole('rowheader', { name: 'L' })).toBeVisible()
      },
      'a refused cell': async (page) => {
        await page.getByLabel('Barcode of M').fill('12345678')
        await press(page, 'UPDATE PRODUCT')
        await expect(page.getByRole('alert')).toBeVisible()
      },
      'a question about a variant': async (page) => {
        await press(page, 'Remove L')
        await isAsked(page)
      },
    },
  },
  '/dashboard/admin/products': {
    as: 'admin',
    at: ({ product }) => `/dashboard/admin/products?q=${encodeURIComponent(product.name)}`,
    heading: 'All Products',
    late: ['combobox.client'],
    states: {
      'a preview of changed prices': async (page) => {
        await selectLast(page)
        await press(page, 'Prices')
        await page.getByLabel('Percentage').fill('5')
        await expect(page.getByText(/would change/)).toBeVisible()
      },
      'nothing found': async (page) => {
        await page.goto('/dashboard/admin/products?q=zzzqqq')
        await expect(page.getByText('No Products Found')).toBeVisible()
      },
      'another category': async (page) => {
        await page.goto('/dashboard/admin/products')
        await selectLast(page)
        await press(page, 'Category')
        await expect(page.getByRole('dialog').getByRole('combobox')).toBeVisible()
      },
    },
  },
  '/dashboard/admin/import-export': {
    as: 'admin',
    heading: 'Import and export',
    states: {
      'a server that does not answer': async (page) => {
        await breakAllCalls(page)
        await page.reload()
        await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
      },
    },
  },
}
