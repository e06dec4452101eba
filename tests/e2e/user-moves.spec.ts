import { accountCalls } from '#app/accounts/contract.ts'
import { openCart, productsInStock, stored } from '#tests/support/cart.ts'
import { expect, test } from '#tests/support/journey.ts'
import { confirm, payButton } from '#tests/support/payment-dialog.ts'

const CHANGED =
  'The address in your profile was changed meanwhile. Please check where we deliver, and pay again.'

test('the address that another device has entered is shown, saved and delivered to', {
  tag: '@journey',
}, async ({ page, signedIn, call }) => {
  const moveTo = (address: string) =>
    signedIn.call(accountCalls.updateProfile, { body: { address } })
  const [product] = await productsInStock(call, 1)
  await moveTo('7 Lake Road, Nashik')
  await openCart(page, [product])
  const summary = page.getByRole('complementary', { name: 'Summary' })
  await expect(summary).toContainText('7 Lake Road, Nashik')
  expect(await stored(page, 'auth')).toMatchObject({
    user: { _id: signedIn.user._id, address: '7 Lake Road, Nashik' },
    token: signedIn.token,
  })

  await moveTo('9 Hill Street, Pune')
  await payButton(page).click()
  await expect(page.getByText(CHANGED)).toBeVisible()
  await expect(summary).toContainText('9 Hill Street, Pune')

  await moveTo('3 Fort Road, Mumbai')
  await page.goto('/dashboard/user')
  await expect(page.getByRole('main')).toContainText('3 Fort Road, Mumbai')
  await moveTo('5 River Lane, Goa')
  await page.getByRole('navigation', { name: 'User area' }).getByText('Profile').click()
  await expect(page.getByLabel('Address')).toHaveValue('5 River Lane, Goa')

  await page.goto('/cart')
  await payButton(page).click()
  await confirm(page)
  await expect(page).toHaveURL('/dashboard/user/orders')
  await expect(page.getByRole('article', { name: /^Order \d+$/ })).toContainText(
    '5 River Lane, Goa',
  )
})
