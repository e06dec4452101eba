/** The search, the bell and the shortcuts of the back office, by keyboard and on a phone. */
import type { Page } from '@playwright/test'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, test } from '#tests/support/journey.ts'
import { test as testInOwnShop } from '#tests/support/own-shop.ts'
import { buy } from '#tests/support/purchase.ts'

const HOME = '/dashboard/admin'

const search = (page: Page) => page.getByRole('dialog').getByRole('combobox', { name: 'Search' })
const chosen = (page: Page) => page.locator('[role=option][data-highlighted]')

test('the admin finds an order, a customer, a product, a page and an action by keyboard', {
  tag: '@journey',
}, async ({ page, admin, customer }) => {
  const cup = await createProduct(admin, named('Findable cup'))
  const order = await buy(customer, [cup])
  const dialogs: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('palette-dialog')) dialogs.push(request.url())
  })
  await page.goto(HOME, { waitUntil: 'networkidle' })
  expect(dialogs, 'what searches is loaded when it is used').toEqual([])
  const found = {
    [`#${order.number}`]: [`Order ${order.number}`, `/orders/${order._id}`],
    [customer.email.slice(0, 20)]: [customer.user.name, `/users/${customer.user._id}`],
    [cup.name]: [cup.name, `/product/${cup.slug}`],
    outb: ['Outbox', '/outbox'],
    'create disc': ['Create discount', '/create-coupon'],
  }
  for (const [text, [label = '', path = '']] of Object.entries(found)) {
    await page.keyboard.press('ControlOrMeta+k')
    await expect(search(page)).toBeFocused()
    await search(page).pressSequentially(text)
    await expect(chosen(page)).toContainText(label)
    await expect(search(page)).toHaveAttribute(
      'aria-activedescendant',
      (await chosen(page).getAttribute('id')) ?? 'none',
    )
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL((url) => url.href.includes(path))
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await page.keyboard.press('ControlOrMeta+k')
  await search(page).fill('no such thing')
  await expect(page.getByText('Nothing found.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the search and the bell are at hand on a phone', { tag: '@phone' }, async ({
  page,
  admin,
  customer,
}) => {
  await buy(customer, [await createProduct(admin, named('Cup'))])
  await page.goto(HOME)
  await page.getByRole('button', { name: /^Waiting for you: [1-9]/ }).click()
  // of the bell: the page has one, too
  await page
    .getByRole('link', { name: /orders? to send$/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/orders\?view=to_send$/)
  await page.getByRole('button', { name: 'Search', exact: true }).click()
  await search(page).fill('histo')
  await page.getByRole('option', { name: 'History' }).click()
  await expect(page).toHaveURL(`${HOME}/history`)
})

test('the menu and the bell count what waits, and announce what has come', async ({
  page,
  admin,
  customer,
}) => {
  await page.goto(HOME)
  const bell = page.getByRole('button', { name: /^Waiting for you: [1-9]/ })
  await expect(bell).toBeVisible()
  const cup = await createProduct(admin, named('Cup'))
  await buy(customer, [cup])
  await expect(async () => {
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await expect(
      page.getByRole('link', { name: 'Orders', exact: true }),
    ).toHaveAccessibleDescription(/^(1 order|([2-9]|\d{2,}) orders) to send$/, { timeout: 1000 })
  }).toPass()
  await bell.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Waiting for you' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('heading', { name: 'Waiting for you' })).toBeHidden()
})

test('the admin goes by single keys, but not while typing, and turns them off', async ({
  page,
  admin: _,
}) => {
  await page.goto(HOME)
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('y')
  await expect(page).toHaveURL(`${HOME}/payments`)
  await page.goto(`${HOME}/outbox`)
  await expect(page.getByRole('heading', { name: 'Outbox' })).toBeVisible()
  await page.keyboard.press('/')
  const field = page.getByLabel('Recipient')
  await expect(field).toBeFocused()
  await page.keyboard.type('g?o/')
  await expect(field).toHaveValue('g?o/')
  await expect(page).toHaveURL(`${HOME}/outbox`)
  await page.getByRole('heading', { name: 'Outbox' }).click()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(list).toContainText('G, then O')
  await list.getByLabel('Use keys without ⌘ or Ctrl').uncheck()
  await list.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('?')
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(search(page)).toBeFocused()
  await expect(page).toHaveURL(`${HOME}/outbox`)
})

testInOwnShop('a new shop shows its steps, which one click folds', async ({ page, admin }) => {
  await page.goto(HOME)
  const best = page.getByRole('region', { name: 'Best sellers' })
  await expect(best).toContainText('No sales in this period.')
  await page.getByText('Steps', { exact: true }).click()
  await expect(page.getByRole('heading', { name: 'First product' })).toBeHidden()
  await page.reload()
  await expect(page.getByText(/of \d steps are done/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'First product' })).toBeHidden()
  expect(admin.user.name).not.toBe('')
})
