/** The back office, with what admins make of its pages. */
import type { Page } from '@playwright/test'
import { listParked } from './back-office.ts'
import { CATALOGUE } from './catalogue-states.ts'
import { expect } from './journey.ts'
import { isAsked, press, pressEscape, type States } from './page-states.ts'

/** Opens another page of the settings, which has this field. */
async function openSettings(page: Page, name: string, label: string) {
  await page.goto(`/dashboard/admin/settings/${name}`)
  await expect(page.getByLabel(label, { exact: true }).first()).toBeVisible()
}

export const BACK_OFFICE: States = {
  ...CATALOGUE,
  '/dashboard/admin': {
    as: 'admin',
    heading: 'Latest orders',
    late: ['palette-dialog', 'shortcut-list'],
    states: {
      'the days of the chart': (page) => page.getByText('Day by day').click(),
      'what waits': async (page) => {
        await page.getByRole('button', { name: /^Waiting for you/ }).click()
        await expect(page.getByRole('heading', { name: 'Waiting for you' })).toBeVisible()
      },
      'the search': async (page) => {
        await page.getByRole('button', { name: 'Search', exact: true }).click()
        await page.getByRole('dialog').getByRole('combobox').fill('orders')
        await expect(page.getByRole('option', { name: 'Orders' })).toBeVisible()
      },
      shortcuts: async (page) => {
        await pressEscape(page)
        await page.keyboard.press('?')
        await isAsked(page)
      },
    },
  },
  '/dashboard/admin/orders': {
    as: 'admin',
    at: ({ order }) => `/dashboard/admin/orders?q=${order._id}`,
    heading: 'All Orders',
    states: {
      'a selection': async (page) => {
        await page
          .getByRole('checkbox', { name: /^Select order/ })
          .first()
          .check()
        await expect(page.getByText('1 order selected')).toBeVisible()
      },
      shipping: async (page) => {
        await press(page, 'Mark as shipped')
        await isAsked(page)
      },
      'the products of all orders': async (page) => {
        await pressEscape(page)
        await page.getByRole('switch', { name: 'Show all products' }).check()
        await expect(page.locator('.detail-row').first()).toBeVisible()
      },
      'a status that is not sent': async (page) => {
        await page
          .getByLabel(/^Status of order \d+$/)
          .first()
          .press('c')
        await expect(page.getByRole('button', { name: 'Set', exact: true })).toBeVisible()
      },
      'a question': async (page) => {
        await page.keyboard.press('Enter')
        await isAsked(page)
      },
      'nothing found': async (page) => {
        await page.goto('/dashboard/admin/orders?q=zzzqqq')
        await expect(page.getByText('No orders found.')).toBeVisible()
      },
    },
  },
  '/dashboard/admin/orders/:orderId': {
    as: 'admin',
    at: ({ order }) => `/dashboard/admin/orders/${order._id}`,
    heading: /^Order \d+$/,
    states: {
      'a refund': async (page) => {
        await press(page, 'Refund')
        await isAsked(page)
      },
    },
  },
  '/dashboard/admin/orders/:orderId/packing-slip': {
    as: 'admin',
    at: ({ order }) => `/dashboard/admin/orders/${order._id}/packing-slip`,
    heading: /^Packing slip of order/,
  },
  '/dashboard/admin/orders/:orderId/invoice': {
    as: 'admin',
    at: ({ order }) => `/dashboard/admin/orders/${order._id}/invoice`,
    heading: /^Invoice/,
  },
  '/dashboard/admin/orders/credit-note/:number': {
    as: 'admin',
    at: ({ creditNote }) => `/dashboard/admin/orders/credit-note/${creditNote}`,
    heading: /^Credit note/,
  },
  '/dashboard/admin/coupons': {
    as: 'admin',
    heading: 'Discounts',
    states: {
      'nothing found': async (page) => {
        await page.goto('/dashboard/admin/coupons?q=zzzqqq')
        await expect(page.getByText('No discounts found.')).toBeVisible()
      },
    },
  },
  '/dashboard/admin/create-coupon': {
    as: 'admin',
    heading: 'Create discount',
    states: {
      'a refused field': async (page) => {
        await press(page, 'Create discount')
        await expect(page.getByLabel('Code', { exact: true })).toHaveAttribute(
          'aria-invalid',
          'true',
        )
      },
      'every other choice': async (page, { product }) => {
        await page.getByLabel('How customers get it').selectOption('automatic')
        await page.getByLabel('What it gives').selectOption('freeShipping')
        await page.getByLabel('Customers', { exact: true }).selectOption('chosen')
        const products = page.getByRole('combobox', { name: 'Only for these products' })
        await products.fill(product.name)
        await page.getByRole('option', { name: product.name }).first().click()
        await expect(page.getByRole('button', { name: `Remove ${product.name}` })).toBeVisible()
        await expect(page.getByRole('status').getByText(/^Free delivery with/)).toBeVisible()
      },
    },
  },
  '/dashboard/admin/coupon/:id': {
    as: 'admin',
    at: ({ coupon }) => `/dashboard/admin/coupon/${coupon._id}`,
    heading: ({ coupon }) => coupon.code ?? '',
    states: {
      'a question': async (page) => {
        await press(page, 'Delete discount')
        await isAsked(page)
      },
    },
  },
  '/dashboard/admin/payments': { as: 'admin', heading: 'Payments' },
  '/dashboard/admin/create-order': {
    as: 'admin',
    heading: 'Create order',
    states: {
      'a new customer who gets it sent': async (page) => {
        await page.getByLabel('A new customer').check()
        await page.getByLabel(/^Deliver to another address/).check()
        await page.getByLabel('Bill to another address').check()
        await expect(page.getByLabel('Street and number')).toHaveCount(2)
      },
    },
  },
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
      'the settings': async (page) => {
        await pressEscape(page)
        await press(page, 'Change')
        await isAsked(page)
      },
      'the rates of the EU': async (page) => {
        await pressEscape(page)
        await press(page, 'Add EU rates')
        await isAsked(page)
      },
    },
  },
  '/dashboard/admin/users': {
    as: 'admin',
    heading: 'User page',
    states: {
      'nothing found': async (page) => {
        await page.goto('/dashboard/admin/users?q=zzzqqq')
        await expect(page.getByText('No users found.')).toBeVisible()
      },
    },
  },
  '/dashboard/admin/users/:userId': {
    as: 'admin',
    at: ({ order }) => `/dashboard/admin/users/${order.buyer._id}`,
    heading: ({ order }) => order.buyer.name,
    states: {
      'a form': async (page) => {
        await press(page, 'Add a note')
        await isAsked(page)
      },
      'a question': async (page) => {
        await pressEscape(page)
        await press(page, 'End sessions')
        await isAsked(page)
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
      'found settings': async (page) => {
        await page.getByLabel('Find a setting').fill('smtp')
        await expect(page.getByText('SMTP server', { exact: true })).toBeVisible()
      },
    },
  },
  '/dashboard/admin/settings/:page': {
    as: 'admin',
    at: () => '/dashboard/admin/settings/general',
    heading: 'General',
    states: {
      'a refused field': async (page) => {
        await page.getByLabel('Name', { exact: true }).fill('')
        await press(page, 'Save settings')
        await expect(page.getByText('Enter the name of the shop.')).toBeVisible()
        await press(page, 'Discard')
      },
      brand: (page) => openSettings(page, 'brand', 'Accent colour'),
      slides: (page) => openSettings(page, 'home', 'Picture'),
      texts: (page) => openSettings(page, 'texts', 'Text of Imprint'),
      prices: (page) => openSettings(page, 'prices', 'Currency'),
      delivery: (page) => openSettings(page, 'delivery', 'Low stock'),
      'payment methods': async (page) => {
        await openSettings(page, 'payments', 'Offer bank transfer')
        await page.getByLabel('Offer pay on delivery').check()
        await page.getByLabel('Offer bank transfer').check()
        await expect(page.getByLabel('Bank account and instructions')).toBeVisible()
        await press(page, 'Discard')
      },
      'a connection': async (page) => {
        await page.goto('/dashboard/admin/settings/email')
        await expect(page.getByRole('button', { name: 'Send a test e-mail' })).toBeVisible()
      },
      'a test': async (page) => {
        await press(page, 'Send a test e-mail to me')
        await expect(page.getByText('no SMTP server is set')).toBeVisible()
      },
    },
  },
  '/dashboard/admin/history': { as: 'admin', heading: 'History' },
}
