/** The back office, with what admins make of its pages. */
import { breakAllCalls, listParked } from './back-office.ts'
import { expect } from './journey.ts'
import { isAsked, press, pressEscape, type States } from './page-states.ts'

export const BACK_OFFICE: States = {
  '/dashboard/admin': {
    as: 'admin',
    heading: 'Latest orders',
    late: ['sales-chart'],
    states: {
      'the days of the chart': (page) => page.getByText('Day by day').click(),
    },
  },
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
  '/dashboard/admin/create-product': {
    as: 'admin',
    heading: 'Create Product',
    states: {
      'an open list': async (page) => {
        await page.getByRole('combobox', { name: 'Category' }).click()
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
    },
  },
  '/dashboard/admin/products': { as: 'admin', heading: 'All Products' },
  '/dashboard/admin/orders': {
    as: 'admin',
    at: ({ order }) => `/dashboard/admin/orders?q=${order._id}`,
    heading: 'All Orders',
    states: {
      'a refund': async (page) => {
        await press(page, 'Refund')
        await isAsked(page)
      },
      'nothing found': async (page) => {
        await page.goto('/dashboard/admin/orders?q=zzzqqq')
        await expect(page.getByText('No orders found.')).toBeVisible()
      },
    },
  },
  '/dashboard/admin/orders/:orderId/invoice': {
    as: 'admin',
    at: ({ order }) => `/dashboard/admin/orders/${order._id}/invoice`,
    heading: /^Test order/,
  },
  '/dashboard/admin/orders/credit-note/:number': {
    as: 'admin',
    at: ({ creditNote }) => `/dashboard/admin/orders/credit-note/${creditNote}`,
    heading: /^Credit note/,
  },
  '/dashboard/admin/coupons': {
    as: 'admin',
    heading: 'Coupons',
  },
  '/dashboard/admin/create-coupon': {
    as: 'admin',
    heading: 'Create Coupon',
    states: {
      'a refused field': async (page) => {
        await page.getByRole('button', { name: 'Create coupon' }).click()
        await expect(page.getByLabel('Code', { exact: true })).toHaveAttribute(
          'aria-invalid',
          'true',
        )
      },
      'found products': async (page, { product }) => {
        await page.getByLabel('Find a product by its name').fill(product.name)
        await page.getByRole('button', { name: `Add ${product.name}` }).click()
        await expect(page.getByRole('button', { name: `Remove ${product.name}` })).toBeVisible()
      },
    },
  },
  '/dashboard/admin/coupon/:id': {
    as: 'admin',
    at: ({ coupon }) => `/dashboard/admin/coupon/${coupon._id}`,
    heading: 'Update Coupon',
    states: {
      'a question': async (page) => {
        await press(page, 'Delete coupon')
        await isAsked(page)
      },
    },
  },
  '/dashboard/admin/payments': { as: 'admin', heading: 'Payments' },
  '/dashboard/admin/shipping': { as: 'admin', heading: 'Shipping' },
  '/dashboard/admin/shipping/:zone': {
    as: 'admin',
    at: () => '/dashboard/admin/shipping/new',
    heading: 'New shipping zone',
    states: {
      'a problem at its field': async (page) => {
        await press(page, 'Save zone')
        await expect(page.getByLabel('Name').first()).toBeFocused()
      },
    },
  },
  '/dashboard/admin/taxes': {
    as: 'admin',
    heading: 'Taxes',
    states: {
      'a dialog': async (page) => {
        await press(page, 'Add a rate')
        await isAsked(page)
      },
      'another dialog': async (page) => {
        await pressEscape(page)
        await press(page, 'Add a class')
        await isAsked(page)
      },
    },
  },
  '/dashboard/admin/users': {
    as: 'admin',
    heading: 'User page',
    states: {
      'a question': async (page) => {
        await press(page, 'End sessions')
        await isAsked(page)
      },
      'nothing found': async (page) => {
        await page.goto('/dashboard/admin/users?q=zzzqqq')
        await expect(page.getByText('No users found.')).toBeVisible()
      },
    },
  },
  '/dashboard/admin/outbox': {
    as: 'admin',
    heading: 'Outbox',
    states: {
      'nothing found': async (page) => {
        await page.goto('/dashboard/admin/outbox?state=bounced')
        await expect(page.getByText('There are no such e-mails.')).toBeVisible()
      },
      'a question about parked e-mails': async (page) => {
        await listParked(page, 3)
        await page.goto('/dashboard/admin/outbox')
        await press(page, 'Delete all parked')
        await isAsked(page)
      },
    },
  },
  '/dashboard/admin/email/:id': {
    as: 'admin',
    at: ({ email }) => `/dashboard/admin/email/${email._id}`,
    heading: ({ email }) => email.subject,
  },
  '/dashboard/admin/settings': {
    as: 'admin',
    heading: 'Settings',
    states: {
      'a refused field': async (page) => {
        await page.getByLabel('Name', { exact: true }).fill('')
        await press(page, 'Save settings')
        await expect(page.getByText('Enter the name of the shop.')).toBeVisible()
      },
      'payment methods': async (page) => {
        await page.getByLabel('Offer pay on delivery').check()
        await page.getByLabel('Offer bank transfer').check()
        await expect(page.getByLabel('Bank account and instructions')).toBeVisible()
      },
    },
  },
  '/dashboard/admin/history': { as: 'admin', heading: 'History' },
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
