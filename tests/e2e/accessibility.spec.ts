/**
 * Every page conforms to WCAG 2.2 A and AA as far as axe can test it, and fits a window of 320 px.
 */
import type { Page } from '@playwright/test'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import routes from '#app/routes.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { expect, test as journey, keepSession } from '#tests/support/journey.ts'
import { createLongNames, type Fixtures } from '#tests/support/long-names.ts'

const test = journey.extend<object, { shop: Fixtures }>({
  shop: [
    async ({ browserName: _ }, use) => use(await createLongNames(process.env.SHOP_ADDRESS ?? '')),
    { scope: 'worker' },
  ],
})

type State = (page: Page, shop: Fixtures) => Promise<unknown>
type Row = {
  as?: 'customer' | 'admin'
  /** The URL, if it is not the pattern itself. */
  at?: (shop: Fixtures) => string
  /** A heading that is visible when the page's data is loaded. */
  heading: string | RegExp | ((shop: Fixtures) => string)
  /** Further states of the page; each continues from the one before. */
  states?: Record<string, State>
  /** axe rules with false positives in those states. */
  except?: string[]
}

const press = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).first().click()
const pressEscape = (page: Page) => page.keyboard.press('Escape')
const isAsked = (page: Page) => expect(page.getByRole('dialog').last()).toBeVisible()

const PAGES: Record<string, Row> = {
  '/': {
    heading: 'All Products',
    states: {
      'an open menu': async (page) => {
        await press(page, 'Categories')
        await expect(page.getByRole('link', { name: 'All Categories' })).toBeVisible()
      },
      suggestions: async (page) => {
        await pressEscape(page)
        await page.getByPlaceholder('Search').pressSequentially('wirel')
        await expect(page.getByRole('option').first()).toBeVisible()
      },
      'a toast': async (page) => {
        await pressEscape(page)
        await press(page, 'Add to Cart')
        await expect(page.getByText('Item Added to Cart')).toBeVisible()
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
  },
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
    states: {
      'things in it': async (page, { product }) => {
        await page.evaluate(
          (text) => localStorage.setItem('cart', text),
          JSON.stringify([product, product]),
        )
        await page.reload()
        await expect(page.getByRole('link', { name: product.name })).toBeVisible()
        await expect(page.getByRole('button', { name: 'Make Payment' })).toBeVisible()
      },
      'a code that is refused, and one that is applied': async (page, { coupon }) => {
        await page.getByLabel('Coupon code', { exact: true }).fill(coupon.code)
        await press(page, 'Apply')
        await expect(page.getByLabel('Total in parts')).toBeVisible()
        await page.getByLabel('Coupon code', { exact: true }).fill('NO-SUCH-CODE')
        await press(page, 'Apply')
        await expect(page.getByText('There is no such code.')).toBeVisible()
      },
      'a payment': async (page) => {
        await press(page, 'Make Payment')
        await isAsked(page)
      },
    },
  },
  '/register': { heading: 'REGISTER FORM' },
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
  '/dashboard/user': {
    as: 'customer',
    heading: ({ customer }) => customer.user.name,
    states: {
      'an open menu': async (page) => {
        await page.locator('[popovertarget=account-menu]').click()
        await expect(page.getByRole('button', { name: 'Logout' })).toBeVisible()
      },
    },
  },
  '/dashboard/user/profile': { as: 'customer', heading: 'Profile' },
  '/dashboard/user/orders': { as: 'customer', heading: 'Your Orders' },
  '/dashboard/admin': {
    as: 'admin',
    heading: 'Latest orders',
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
    },
  },
  '/dashboard/admin/products': { as: 'admin', heading: 'All Products' },
  '/dashboard/admin/orders': { as: 'admin', heading: 'All Orders' },
  '/dashboard/admin/coupons': {
    as: 'admin',
    heading: 'Coupons',
  },
  '/dashboard/admin/create-coupon': {
    as: 'admin',
    heading: 'Create Coupon',
    states: {
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
  '/dashboard/admin/history': { as: 'admin', heading: 'History' },
  '/dashboard/admin/import-export': { as: 'admin', heading: 'Import and export' },
  '/about': { heading: /./ },
  '/contact': { heading: 'CONTACT US' },
  '/policy': { heading: /./ },
  '/*': { at: () => '/nothing/here', heading: 'Oops ! Page Not Found' },
}

/** The URL patterns of the site map; layouts add none. */
const addressesOf = (entries: RouteConfigEntry[], under = ''): string[] =>
  entries.flatMap(({ path, index, children }) => {
    const here = path === undefined ? under : `${under}/${path}`
    return [
      ...(path !== undefined || index ? [here || '/'] : []),
      ...addressesOf(children ?? [], here),
    ]
  })

test('every page of the site map is checked', () => {
  expect(Object.keys(PAGES).toSorted()).toEqual([...new Set(addressesOf(routes))].toSorted())
})

for (const [pattern, { as, at = () => pattern, heading, states = {}, except }] of Object.entries(
  PAGES,
)) {
  test(`${pattern} is accessible`, async ({ page, context, address, shop }) => {
    test.slow()
    if (as) await keepSession(context, address, shop[as])
    await page.goto(at(shop))
    const name = typeof heading === 'function' ? heading(shop) : heading
    await expect(page.getByRole('heading', { name }).first()).toBeVisible()
    await expectAccessible(page, pattern)
    for (const [state, enter] of Object.entries(states)) {
      await enter(page, shop)
      await expectAccessible(page, `${pattern} with ${state}`, except)
    }
  })
}

for (const [key, next] of [
  ['Tab', 'Name'],
  ['Shift+Tab', 'Photo'],
] as const) {
  test(`${key} closes the list of categories before it leads into the page`, async ({
    page,
    admin: _,
  }) => {
    await page.goto('/dashboard/admin/create-product')
    await page.getByRole('combobox', { name: 'Category' }).click()
    await expect(page.getByRole('listbox')).toBeVisible()
    await page.keyboard.press(key)
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await expect(page.getByLabel(next, { exact: true }).last()).toBeFocused()
    await expect(page.getByRole('heading', { name: 'Create Product' })).toBeVisible()
  })
}
