/** What a shop with an SMTP server says of its e-mails; the other journeys share one without. */

import { createProduct, named } from '#tests/support/back-office.ts'
import { openCart } from '#tests/support/cart.ts'
import { expect, keepSession } from '#tests/support/journey.ts'
import { SANDBOX, test } from '#tests/support/own-shop.ts'
import { confirm, payButton } from '#tests/support/payment-dialog.ts'

test.use({
  environment: {
    ...SANDBOX,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'shop@example.com',
    SHOP_URL: 'https://shop.example.com',
  },
})

// a shop of its own, whose start counts
test.slow()

test('a buyer is told of the confirmation, and of the link that confirms the address', async ({
  page,
  context,
  address,
  admin,
  customer,
}) => {
  const cup = await createProduct(admin, named('Cup'))
  await keepSession(context, address, customer)
  await openCart(page, [cup])
  await payButton(page).click()
  await confirm(page)
  await expect(page.getByRole('region', { name: 'Thank you for your order' })).toContainText(
    `We send a confirmation to ${customer.email}.`,
  )
  await page.goto('/dashboard/user/profile')
  await expect(
    page.getByText(
      `${customer.email} is not confirmed yet. Open the link in the e-mail that we sent you.`,
    ),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send another link' })).toBeVisible()
})
