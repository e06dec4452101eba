import type { Order } from '#app/orders/contract.ts'
import { productsInStock } from '#tests/support/cart.ts'
import { expect, test } from '#tests/support/journey.ts'

test('an order can be read whole', { tag: ['@journey', '@phone'] }, async ({
  page,
  signedIn,
  call,
}) => {
  const products = await productsInStock(call, 2)
  const order: Order = {
    _id: crypto.randomUUID(),
    number: 12,
    status: 'Not Process',
    buyer: signedIn.user,
    createAt: new Date(Date.now() - 86_400_000 * 330).toISOString(),
    payment: { razorpay_payment_id: 'pay_1', razorpay_order_id: 'order_1' },
    products,
    total: 60,
    currency: 'USD',
    delivery: {
      name: signedIn.user.name,
      email: signedIn.email,
      phone: '555 0100',
      address: '1 Market Lane',
      isChanged: true,
    },
  }
  await page.route('**/auth/orders?*', (route) => route.fulfill({ json: [order, order] }))
  await page.goto('/dashboard/user/orders')
  const first = page.getByRole('article', { name: 'Order 12' }).first()
  await expect(first.getByRole('cell')).toHaveText([
    '1',
    'Not Process',
    signedIn.user.name,
    '11 months ago',
    'Success',
    '2',
  ])
  // it fills the card's width: round corners would show the card behind it
  await expect(first.getByRole('table')).toHaveCSS('border-radius', '0px')
  const delivery = first.getByRole('region', { name: 'Delivery' })
  await expect(delivery).toContainText(`Delivery to ${signedIn.user.name}, 1 Market Lane`)
  await expect(delivery).toContainText(`${signedIn.email} · 555 0100`)
  await expect(delivery).not.toContainText('has changed')
  for (const cell of await first.getByRole('cell').all()) {
    await expect(cell).toBeInViewport({ ratio: 1 })
    const height = await cell.evaluate((element) => element.clientHeight)
    expect(height).toBeLessThan(80)
  }
})
