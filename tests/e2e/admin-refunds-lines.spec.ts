/** Refunds by lines, and orders that are cancelled with their money. */
import type { Page } from '@playwright/test'
import { orderCalls } from '#app/orders/contract.ts'
import { expectAccessible } from '#tests/support/accessibility.ts'
import { createProduct, named } from '#tests/support/back-office.ts'
import { expect, keepSession, test, type Visitor } from '#tests/support/journey.ts'
import { tabTo } from '#tests/support/keyboard.ts'
import { buy } from '#tests/support/purchase.ts'

/** Opens an order of two cups and a bowl. */
async function openSold(page: Page, admin: Visitor, customer: Visitor) {
  const cup = await createProduct(admin, named('Cup'))
  const bowl = await createProduct(admin, named('Bowl'))
  const sold = await buy(customer, [cup, cup, bowl])
  await page.goto(`/dashboard/admin/orders/${sold._id}`)
  return { cup, bowl, sold }
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first()

test('an admin refunds one of two cups, and its buyer reads which', {
  tag: ['@journey', '@phone'],
}, async ({ page, context, address, admin, customer }) => {
  const { cup, sold } = await openSold(page, admin, customer)
  await button(page, 'Refund').click()
  const dialog = page.getByRole('dialog', { name: `Refund order ${sold.number}` })
  await expect(dialog.getByLabel('Amount')).toHaveValue('0.00')
  await dialog.getByRole('button', { name: 'All that is left: $37.50' }).click()
  await expect(dialog.getByLabel('Amount')).toHaveValue('37.50')
  await dialog.getByLabel(new RegExp(cup.name)).fill('1')
  await expect(dialog.getByText(`1 × ${cup.name}: $12.50`)).toBeVisible()
  await expect(dialog.getByLabel('Amount')).toHaveValue('12.50')
  await dialog.getByLabel('Reason').fill('It was cracked.')
  await dialog.getByLabel('Return these pieces to the stock').check()
  await expectAccessible(page, 'the refund of a line')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  await expect(page.getByText('The refund is on its way')).toBeVisible()
  await expect(dialog).toHaveCount(0)

  const next = page.getByRole('region', { name: 'What to do next' })
  await expect(next).toContainText('Paid, and to be sent: 2 of 3 pieces.')
  const payment = page.getByRole('region', { name: 'Payment', exact: true })
  for (const text of [/Paid · .*\$37\.50/, /−\$12\.50/, /Left\$25\.00/])
    await expect(payment).toContainText(text)
  await button(page, 'Refund').click()
  await dialog.getByRole('button', { name: 'All that is left: $25.00' }).click()
  await expect(dialog.getByLabel('Amount')).toHaveValue('25.00')
  await expect(dialog.getByRole('checkbox', { name: new RegExp(cup.name) })).toBeVisible()
  await page.goto(`/dashboard/admin/orders/${sold._id}/packing-slip`)
  await expect(page.getByRole('listitem').filter({ hasText: cup.name })).toHaveText(/^1 ×/)
  await expect(page.getByText(`Refunded or returned: 1 × ${cup.name}`)).toBeVisible()

  await keepSession(context, address, customer)
  await page.goto('/dashboard/user/orders')
  await expect(page.getByText(`for 1 × ${cup.name}: It was cracked.`)).toBeVisible()
})

test('an admin refunds a line by keyboard', async ({ page, admin, customer }) => {
  const { bowl, sold } = await openSold(page, admin, customer)
  await tabTo(button(page, 'Refund'))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Refund order ${sold.number}` })
  await expect(dialog.getByLabel('Amount')).toBeVisible()
  await tabTo(dialog.getByRole('checkbox', { name: new RegExp(bowl.name) }))
  await page.keyboard.press('Space')
  await expect(dialog.getByLabel('Amount')).toHaveValue('12.50')
  await tabTo(dialog.getByLabel('Reason'))
  await page.keyboard.type('It was cracked.')
  await tabTo(dialog.getByRole('button', { name: 'Refund', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('The refund is on its way')).toBeVisible()
  const [order] = await customer.call(orderCalls.getOrders, { query: {} })
  expect(order?.refunds).toMatchObject([{ amount: 12.5, lines: [{ name: bowl.name }] }])
})

test('an admin cancels an order with its stock and its money', {
  tag: ['@journey', '@phone'],
}, async ({ page, admin, customer }) => {
  const { sold } = await openSold(page, admin, customer)
  await button(page, 'Cancel order').click()
  const dialog = page.getByRole('dialog', { name: `Cancel order ${sold.number}?` })
  await expect(dialog.getByLabel('Refund $37.50')).toBeChecked()
  await expect(dialog.getByLabel('Return the 3 pieces to the stock')).toBeChecked()
  await expectAccessible(page, 'the cancelling of an order')
  await dialog.getByRole('button', { name: 'Cancel order' }).click()
  await expect(page.getByText(/^The order is cancelled\. \$37\.50 goes back/)).toBeVisible()
  await expect(dialog).toHaveCount(0)
  expect(await customer.call(orderCalls.getOrders, { query: {} })).toMatchObject([
    { status: 'cancel', refunded: 37.5, stockReturned: true },
  ])
})
