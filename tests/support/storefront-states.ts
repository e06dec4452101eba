/** The storefront and the user area, with what visitors make of their pages. */
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { attributeCalls } from '#app/products/attribute-contract.ts'
import { fillRegistration } from './account-forms.ts'
import { named } from './back-office.ts'
import { expect, type Visitor } from './journey.ts'
import { isAsked, press, pressEscape, type States } from './page-states.ts'
import { createShirt } from './shirt.ts'

/** Gives a product an attribute. */
async function describeByText({ call }: Visitor, id: string) {
  const facts = { kind: 'text' as const, unit: null, isFilterable: false, choices: [] }
  const { attribute } = await call(attributeCalls.createAttribute, {
    body: { name: named('Fabric'), ...facts },
  })
  const attributes = JSON.stringify({ [attribute._id]: 'Linen' })
  await call(productAdminCalls.updateProduct, { params: { id }, body: { attributes } })
}

export const STOREFRONT: States = {
  '/': {
    heading: 'All Products',
    late: ['suggestions'],
    states: {
      'an open menu': async (page) => {
        await press(page, 'Categories')
        await expect(page.getByRole('link', { name: 'All Categories' })).toBeVisible()
      },
      suggestions: async (page) => {
        await pressEscape(page)
        await page.getByPlaceholder('Search').pressSequentially('wirel')
        await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
      },
      'a toast': async (page) => {
        await pressEscape(page)
        const button = page.getByRole('button', { name: 'Add to Cart', disabled: false })
        await button.first().click()
        await expect(page.getByText('Item Added to Cart')).toBeVisible()
      },
      'messages that stay': async (page) => {
        await page.getByLabel('Keep messages on screen').check()
        const button = page.getByRole('button', { name: 'Add to Cart', disabled: false })
        await button.first().click()
        await expect(page.getByRole('button', { name: /^Close:/ }).first()).toBeVisible()
      },
      'nothing found': async (page, { category }) => {
        await page.goto(`/?category=${category._id}&price=0-19`)
        await expect(page.getByText('No Products Found')).toBeVisible()
      },
    },
  },
  '/product/:slug': {
    at: ({ product }) => `/product/${product.slug}`,
    heading: ({ product }) => product.name,
    late: ['photo-dialog', 'product-facts', 'variant-offer'],
    states: {
      'the large photo': async (page) => {
        await page.getByRole('link', { name: /^Large photo of/ }).click()
        await isAsked(page)
      },
      'what was added': async (page) => {
        await pressEscape(page)
        await press(page, 'ADD TO CART')
        await expect(page.getByRole('link', { name: 'Go to cart' })).toBeVisible()
      },
      'a chosen variant': async (page, { admin }) => {
        const { _id: id, slug, blueInM } = await createShirt(admin)
        await describeByText(admin, id)
        await page.goto(`/product/${slug}?variant=${blueInM}`)
        await expect(page.getByRole('radio', { name: 'Blue' })).toBeChecked()
        await expect(page.getByRole('definition')).toHaveText(['Linen'])
      },
      'nothing left': async (page, { soldOut }) => {
        await page.goto(`/product/${soldOut.slug}`)
        await expect(page.getByRole('button', { name: 'ADD TO CART', exact: true })).toBeDisabled()
      },
      'a choice': async (page, { shirt }) => {
        await page.goto(`/product/${shirt.slug}`)
        await expect(page.getByRole('group', { name: 'Colour' })).toBeVisible()
      },
    },
  },
  '/preview': { at: ({ preview }) => preview, heading: ({ product }) => product.name },
  '/categories': { heading: 'All Categories' },
  '/category/:slug': {
    at: ({ category }) => `/category/${category.slug}`,
    heading: ({ category }) => category.name,
  },
  '/search': {
    at: () => '/search?q=wol',
    heading: 'Search Results',
    states: {
      'nothing found': async (page) => {
        await page.goto('/search?q=zzzqqq')
        await expect(page.getByText('No Products Found')).toBeVisible()
      },
    },
  },
  '/cart': {
    as: 'customer',
    heading: /^Hello/,
    late: ['checkout-panel', 'payment-dialog'],
    states: {
      'things in it': async (page, { product }) => {
        await page.evaluate(
          (text) => localStorage.setItem('cart', text),
          JSON.stringify([product, product]),
        )
        await page.reload()
        await expect(page.getByRole('link', { name: product.name })).toBeVisible()
        await expect(page.getByRole('button', { name: 'Make Payment' })).toBeEnabled()
      },
      'a code that is refused, and one that is applied': async (page, { coupon }) => {
        await page.getByLabel('Coupon code', { exact: true }).fill(coupon.code ?? '')
        await press(page, 'Apply')
        await expect(page.getByLabel('Total in parts')).toBeVisible()
        await page.getByLabel('Coupon code', { exact: true }).fill('NO-SUCH-CODE')
        await press(page, 'Apply')
        await expect(page.getByText('There is no such code.')).toBeVisible()
        await expect(page.getByRole('button', { name: 'Make Payment' })).toBeEnabled()
      },
      'a billing address': async (page) => {
        const isBilled = page.getByLabel('Bill to another address')
        await isBilled.check()
        await expect(page.getByLabel('Name or company')).toBeVisible()
        await isBilled.uncheck()
        await expect(page.getByRole('button', { name: 'Make Payment' })).toBeEnabled()
      },
      'a payment': async (page) => {
        await press(page, 'Make Payment')
        await isAsked(page)
      },
      'something that is sold out': async (page, { soldOut }) => {
        await page.evaluate((text) => localStorage.setItem('cart', text), JSON.stringify([soldOut]))
        await page.reload()
        await expect(page.getByRole('alert')).toBeVisible()
      },
    },
  },
  '/register': {
    heading: 'REGISTER FORM',
    states: {
      'a refused field': async (page, { admin }) => {
        await fillRegistration(page, admin.email)
        await press(page, 'REGISTER')
        await expect(page.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
      },
    },
  },
  '/login': {
    heading: /./,
    states: {
      'an error': async (page) => {
        await page.getByLabel('Email').fill('nobody@example.com')
        await page.getByLabel('Password').fill('wrong-horse')
        await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
        await expect(page.getByRole('status').filter({ hasText: /\w/ }).first()).toBeVisible()
      },
    },
  },
  '/forgot-password': { heading: 'RESET PASSWORD' },
  '/confirm-email': { at: () => '/confirm-email#token', heading: 'Confirm your e-mail address' },
  '/reset-password': { at: () => '/reset-password#token', heading: 'Set a new password' },
  '/dashboard/user': {
    as: 'customer',
    heading: ({ customer }) => customer.user.name,
    states: {
      'an open menu': async (page) => {
        await page.locator('[popovertarget=account-menu]').click()
        await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
      },
      'the refusal of a guest': async (page) => {
        await page.evaluate(() => localStorage.removeItem('auth'))
        await page.reload()
        await press(page, 'Stay here')
        await expect(page.getByRole('heading', { name: 'not open to you' })).toBeVisible()
      },
    },
  },
  '/dashboard/user/profile': {
    as: 'customer',
    heading: 'Profile',
    states: {
      'an address': async (page) => {
        await press(page, 'Add address')
        await expect(page.getByLabel('Postal code')).toBeVisible()
      },
      'a question': async (page) => {
        await press(page, 'Close account')
        await isAsked(page)
      },
    },
  },
  '/dashboard/user/orders': { as: 'customer', heading: 'Your Orders' },
  '/dashboard/user/orders/:orderId/invoice': {
    as: 'customer',
    at: ({ order }) => `/dashboard/user/orders/${order._id}/invoice`,
    heading: /^Invoice/,
  },
  '/dashboard/user/orders/credit-note/:number': {
    as: 'customer',
    at: ({ creditNote }) => `/dashboard/user/orders/credit-note/${creditNote}`,
    heading: /^Credit note/,
  },
  // its form, with the lists of countries and currencies, is in owner-sets-up-shop.spec.ts: this shop has an admin
  '/first-run': { heading: 'Oops ! Page Not Found', lateElsewhere: ['options'] },
  '/about': { heading: /./ },
  '/contact': { heading: 'CONTACT US' },
  '/policy': { heading: /./ },
  // of a shop without these texts; user-agrees-to-terms.spec.ts sees them
  '/legal/:page': { at: () => '/legal/terms', heading: 'Oops ! Page Not Found' },
  '/*': { at: () => '/nothing/here', heading: 'Oops ! Page Not Found' },
}
