import type { Page } from '@playwright/test'
import { NOT_SENT } from '#app/emails/model.ts'
import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { orderCalls } from '#app/orders/contract.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, test, type Visitor } from '#tests/support/journey.ts'
import { expectVisibleFocus, tabTo } from '#tests/support/keyboard.ts'
import { buy } from '#tests/support/purchase.ts'

const QUANTITY = 10
const NUMBERS = Array.from({ length: QUANTITY }, (_, at) => `JJD00${at}`)

/** Ten orders of the customer's, and the list with them. */
async function openTen(page: Page, admin: Visitor, customer: Visitor) {
  const cup = await createProduct(admin, named('Cup'))
  for (let n = 0; n < QUANTITY; n++) await buy(customer, [cup])
  await page.goto(`/dashboard/admin/orders?view=to_send&q=${encodeURIComponent(customer.email)}`)
  await expect(page.getByText(`${QUANTITY} orders`, { exact: true })).toBeVisible()
}

const shipments = async (customer: Visitor) =>
  (await customer.call(orderCalls.getOrders, { query: {} })).map(
    ({ status, shipment }) => `${status} ${shipment?.carrier} ${shipment?.trackingNumber}`,
  )

const SHIPPED = NUMBERS.map((number) => `Shipped DHL ${number}`)

test('an admin ships ten orders with a column of tracking numbers, and takes it back', {
  tag: ['@journey', '@phone'],
}, async ({ page, admin, customer }) => {
  await openTen(page, admin, customer)
  // the numbers are in the order of the list, whichever is chosen first
  const boxes = await page.getByRole('checkbox', { name: /^Select order \d+$/ }).all()
  for (const box of boxes.reverse()) await box.check()
  await expect(page.getByText('10 orders selected')).toBeVisible()
  await page.getByRole('button', { name: 'Mark as shipped' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ship 10 orders' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('10 orders selected')).toBeVisible()
  await page.getByRole('button', { name: 'Mark as shipped' }).click()
  await dialog.getByLabel('Carrier').fill('DHL')
  const first = dialog.getByLabel(/^Order \d+ · /).first()
  await first.evaluate((field, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, NUMBERS.join('\r\n'))
  await expect(dialog.getByLabel(/^Order \d+ · /).last()).toHaveValue('JJD009')
  await expect(dialog.getByLabel('E-mail 10 customers in ten seconds')).toBeChecked()
  await dialog.getByRole('button', { name: 'Mark as shipped' }).click()
  await expect(page.getByText(`10 orders changed. ${NOT_SENT}`)).toBeVisible()
  await expect(page.getByText('No orders found.')).toBeVisible()
  expect(await shipments(customer)).toEqual(SHIPPED)

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${QUANTITY} orders changed back.`)).toBeVisible()
  await expect(page.getByText(`${QUANTITY} orders`, { exact: true })).toBeVisible()
  expect(new Set(await shipments(customer))).toEqual(new Set(['Not Process undefined undefined']))
})

test('an admin ships ten orders by keyboard, Enter leading from number to number', async ({
  page,
  admin,
  customer,
}) => {
  await openTen(page, admin, customer)
  const rows = page
    .getByRole('row')
    .filter({ has: page.getByRole('checkbox', { name: /^Select order/ }) })
  await page.keyboard.press('ArrowDown')
  await expect(rows.first()).toBeFocused()
  for (let at = 0; at < QUANTITY; at++) {
    await page.keyboard.press(' ')
    await page.keyboard.press('ArrowDown')
  }
  await tabTo(page.getByRole('button', { name: 'Mark as shipped' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Ship 10 orders' })
  await tabTo(dialog.getByLabel('Carrier'))
  await page.keyboard.type('DHL')
  await page.keyboard.press('Tab')
  for (const number of NUMBERS) {
    await expectVisibleFocus(page)
    await page.keyboard.type(number)
    await page.keyboard.press('Enter')
  }
  await expect(page.getByText(/^10 orders changed\./)).toBeVisible()
  expect(await shipments(customer)).toEqual(SHIPPED)
})

test('an admin sends an order on its page, with a link that the customer follows', {
  tag: '@phone',
}, async ({ page, admin, customer }) => {
  const { _id: orderId, number } = await buy(customer, [await createProduct(admin, named('Cup'))])
  await page.goto(`/dashboard/admin/orders/${orderId}`)
  await expect(page.getByRole('heading', { name: `Order ${number}`, level: 1 })).toBeVisible()
  const next = page.getByRole('region', { name: 'What to do next' })
  await next.getByRole('button', { name: 'Mark as shipped' }).click()
  const dialog = page.getByRole('dialog', { name: `Ship order ${number}` })
  await dialog.getByLabel('Carrier').fill('UPS')
  await dialog.getByLabel('Tracking number').fill('1Z999')
  await dialog.getByLabel(/^E-mail .* in ten seconds$/).uncheck()
  await dialog.getByRole('button', { name: 'Mark as shipped' }).click()
  await expect(page.getByText('1 order changed.', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: '1Z999' })).toHaveAttribute(
    'href',
    'https://www.ups.com/track?tracknum=1Z999',
  )
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toContainText(`Status: Not Process → Shipped ${admin.user.name}`)
  await expect(timeline).toContainText('Shipment by UPS')
  await expect(timeline.getByText('E-mail: Status')).toHaveCount(0)
  await next.getByRole('button', { name: 'Mark as delivered' }).click()
  await expect(next).toContainText('Nothing: it is done.')
  await expect(page.getByText(`1 order changed. ${NOT_SENT}`)).toBeVisible()
  expect(await admin.call(orderAdminCalls.getAllOrders, { query: { q: orderId } })).toMatchObject([
    { status: 'deliverd', shipment: { carrier: 'UPS', trackingNumber: '1Z999' } },
  ])
})

test('an admin notes what matters, and prints what is packed without prices', async ({
  page,
  admin,
  customer,
}) => {
  const cup = await createProduct(admin, named('Cup'))
  const { _id: orderId, number } = await buy(customer, [cup, cup])
  await page.goto(`/dashboard/admin/orders/${orderId}`)
  await page.getByRole('button', { name: 'Add a note' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Note', { exact: true }).fill('Leave it at the door.')
  await dialog.getByRole('button', { name: 'Add note' }).click()
  const notes = page.getByRole('region', { name: 'Notes' })
  await expect(notes).toContainText('Leave it at the door.')
  await page.getByRole('button', { name: 'Edit shipment' }).click()
  await dialog.getByLabel('Note to the customer').fill('Thank you!')
  await dialog.getByRole('button', { name: 'Save shipment' }).click()
  await expect(page.getByRole('region', { name: 'Shipment' })).toContainText('Thank you!')
  await notes.getByRole('button', { name: 'Delete note' }).click()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(notes).toContainText('None.')

  await page.getByRole('link', { name: 'Packing slip' }).click()
  const slip = page.getByRole('article')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    `Packing slip of order ${number}`,
  )
  await expect(slip).toContainText(`2 ×${cup.name}`)
  await expect(slip).toContainText('Thank you!')
  await expect(slip).not.toContainText('$')
  await page.emulateMedia({ media: 'print' })
  await expect(slip).toBeVisible()
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
})
