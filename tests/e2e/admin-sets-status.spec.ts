/** The status of an order by pointer and by keyboard: nothing is sent by a key that only looks (WCAG 3.2.2, 3.3.4). */
import type { Page } from '@playwright/test'
import { orderCalls } from '#app/orders/contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, test, type Visitor } from '#tests/support/journey.ts'
import { expectVisibleFocus } from '#tests/support/keyboard.ts'
import { buy } from '#tests/support/purchase.ts'

/** Where a status is set: the list, and the page of an order. */
const PLACES = {
  'in the list': (id: string) => `/dashboard/admin/orders?q=${id}`,
  'on the page of the order': (id: string) => `/dashboard/admin/orders/${id}`,
}

const status = (page: Page) => page.getByLabel(/^Status of order \d+$/)
const set = (page: Page) => page.getByRole('button', { name: 'Set', exact: true })
const option = (page: Page, name: string) => status(page).getByRole('option', { name, exact: true })

/** Opens a page with a paid order, and collects what is sent of its status. */
async function openOrder(
  { page, admin, customer }: { page: Page; admin: Visitor; customer: Visitor },
  path: (id: string) => string,
) {
  const order = await buy(customer, [await createProduct(admin, named('Cup'))])
  const sent: unknown[] = []
  await page.route('**/auth/order-status/*', async (route) => {
    sent.push(route.request().postDataJSON())
    await route.continue()
  })
  await page.goto(path(order._id))
  await expect(status(page)).toHaveValue('Not Process')
  const stored = async () => (await customer.call(orderCalls.getOrders, { query: {} }))[0]?.status
  return { order, sent, stored }
}

for (const [place, path] of Object.entries(PLACES)) {
  test(`keys on a closed list of statuses send nothing, ${place}`, async ({
    page,
    admin,
    customer,
  }) => {
    const { order, sent, stored } = await openOrder({ page, admin, customer }, path)
    const select = status(page)
    await select.focus()
    await page.keyboard.press('ArrowDown')
    await expect(select).toHaveValue('Processing')
    await page.keyboard.press('c')
    await expect(select).toHaveValue('cancel')
    await expect(set(page)).toHaveAccessibleDescription(`Status of order ${order.number}: cancel`)
    await expectVisibleFocus(page)

    await page.keyboard.press('Escape')
    await expect(select).toHaveValue('Not Process')
    await expect(set(page)).toHaveCount(0)
    const still = page.getByText(`Status of order ${order.number}: still Not Process.`)
    await expect(still).toHaveCount(1)
    await expect(still).toHaveCount(0)

    await page.keyboard.press('ArrowDown')
    await expect(select).toHaveValue('Processing')
    await page.keyboard.press('Shift+Tab')
    await expect(select).toHaveValue('Not Process')
    await expect(still).toHaveCount(1)
    expect(sent).toEqual([])
    expect(await stored()).toBe('Not Process')
  })

  test(`Enter or the button beside it sends the status that keys chose, ${place}`, async ({
    page,
    admin,
    customer,
  }) => {
    const { sent, stored } = await openOrder({ page, admin, customer }, path)
    const select = status(page)
    await select.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/ is set to Processing/)).toBeVisible()
    await expect(select).toHaveValue('Processing')
    await expect(select).toBeFocused()

    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await expect(set(page)).toBeFocused()
    await expectVisibleFocus(page)
    await page.keyboard.press('Enter')
    await expect(page.getByText(/ is set to Shipped/)).toBeVisible()
    await expect(select).toBeFocused()

    await page.keyboard.press('ArrowDown')
    await set(page).click()
    await expect(page.getByText(/ is set to deliverd/)).toBeVisible()
    expect(sent).toEqual([{ status: 'Processing' }, { status: 'Shipped' }, { status: 'deliverd' }])
    expect(await stored()).toBe('deliverd')
  })

  test(`an opened list sends what Enter or the pointer chooses, and nothing on leaving it, ${place}`, async ({
    page,
    admin,
    customer,
  }) => {
    const { sent } = await openOrder({ page, admin, customer }, path)
    const select = status(page)
    await select.focus()
    for (const leave of ['Escape', 'Tab']) {
      await page.keyboard.press('Alt+ArrowDown')
      await expect(option(page, 'Processing')).toBeVisible()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press(leave)
      await expect(option(page, 'Processing')).toBeHidden()
      await expect(select).toHaveValue('Not Process')
      await select.focus()
    }
    await select.click()
    await expect(option(page, 'Processing')).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('heading', { level: 1 }).click()
    await expect(option(page, 'Processing')).toBeHidden()
    expect(sent).toEqual([])

    await select.focus()
    await page.keyboard.press('Space')
    await expect(option(page, 'Processing')).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(page.getByText(/ is set to Processing/)).toBeVisible()
    await select.click()
    await option(page, 'Shipped').click()
    await expect(page.getByText(/ is set to Shipped/)).toBeVisible()
    // the one that keys chose before
    await select.focus()
    await page.keyboard.press('d')
    await page.keyboard.press('Alt+ArrowDown')
    await expect(option(page, 'Processing')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/ is set to deliverd/)).toBeVisible()
    expect(sent).toEqual([{ status: 'Processing' }, { status: 'Shipped' }, { status: 'deliverd' }])
  })

  test(`cancelling a paid order asks first, by pointer and by keyboard, ${place}`, async ({
    page,
    admin,
    customer,
  }) => {
    const { order, sent, stored } = await openOrder({ page, admin, customer }, path)
    const select = status(page)
    const dialog = page.getByRole('dialog', { name: `Cancel order ${order.number}?` })
    await select.click()
    await option(page, 'cancel').click()
    await dialog.getByRole('button', { name: 'Keep order' }).click()
    await expect(select).toHaveValue('Not Process')
    await expect(select).toBeFocused()
    await expect(page.getByText(`Status of order ${order.number}: still Not Process.`)).toHaveCount(
      1,
    )

    await page.keyboard.press('c')
    await page.keyboard.press('Enter')
    await expect(dialog).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    expect(sent).toEqual([])

    await page.keyboard.press('c')
    await page.keyboard.press('Enter')
    await dialog.getByText('This sets the status only.').click()
    await dialog.getByRole('button', { name: 'Cancel order' }).click()
    await expect(page.getByText(/ is set to cancel/)).toBeVisible()
    expect(await stored()).toBe('cancel')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(select).toHaveValue('Not Process')
  })
}

test('cancelling orders in a dialog asks first', async ({ page, admin, customer }) => {
  const { order, stored } = await openOrder(
    { page, admin, customer },
    PLACES['on the page of the order'],
  )
  await page.getByRole('button', { name: 'Set status without e-mail' }).click()
  const form = page.getByRole('dialog', { name: `Set the status of order ${order.number}` })
  await form.getByLabel('Status', { exact: true }).selectOption('cancel')
  await form.getByRole('button', { name: 'Set status' }).click()
  const question = page.getByRole('dialog', { name: `Cancel order ${order.number}?` })
  await question.getByRole('button', { name: 'Keep order' }).click()
  expect(await stored()).toBe('Not Process')
  await form.getByRole('button', { name: 'Set status' }).click()
  await question.getByRole('button', { name: 'Cancel order' }).click()
  await expect(page.getByText('1 order changed.', { exact: true })).toBeVisible()
  expect(await stored()).toBe('cancel')
})

test('the keyboard stays at a status while it is saved, once', async ({
  page,
  admin,
  customer,
}) => {
  const { sent } = await openOrder({ page, admin, customer }, PLACES['in the list'])
  const { promise: late, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/auth/order-status/*', async (route) => {
    await late
    await route.fallback()
  })
  const select = status(page)
  await select.focus()
  await page.keyboard.press('p')
  await page.keyboard.press('Enter')
  await expect(select).toBeDisabled()
  await expect(select).toBeFocused()
  await page.keyboard.press('s')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(select).toHaveValue('Processing')
  answer()
  await expect(select).toBeEnabled()
  await expect(select).toBeFocused()
  await expect(select).toHaveValue('Processing')
  expect(sent).toEqual([{ status: 'Processing' }])
})
