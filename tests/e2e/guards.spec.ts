import { sessionCalls } from '#app/accounts/session-contract.ts'
import { logIn } from '#tests/support/account-forms.ts'
import { store, stored } from '#tests/support/cart.ts'
import { expect, test } from '#tests/support/journey.ts'

const COUNTDOWN = /Redirecting to you \d second/

test('a guest is counted down to the log-in, which leads back', { tag: '@journey' }, async ({
  page,
  customer,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto('/dashboard/user/orders')
  await expect(page.getByText('Redirecting to you 5 second')).toBeVisible()
  await expect(page.getByText('Redirecting to you 4 second')).toBeVisible()
  expect(asked.filter((path) => path.startsWith('/api/v1/auth/'))).toEqual([])
  await expect(page).toHaveURL('/login')
  await logIn(page, customer.email)
  await expect(page).toHaveURL('/dashboard/user/orders')
  await expect(page.getByRole('heading', { name: 'Your Orders' })).toBeVisible()
})

test('a forged session opens nothing', { tag: '@journey' }, async ({ page, customer }) => {
  const forged = [
    { user: customer.user, token: 'forged' },
    { user: { ...customer.user, role: 1 }, token: `${customer.token}x` },
    { user: customer.user, token: 'new\nline' },
    { user: customer.user, token: '🗝️' },
  ]
  for (const session of forged) {
    await store(page, 'auth', session)
    await page.goto('/dashboard/user')
    await expect(page.getByText(COUNTDOWN)).toBeVisible()
  }
})

test('no session of another shape stops a page', async ({ page, customer }) => {
  const garbage = [7, 'x', null, [], { user: 'Asha', token: {} }, { user: { name: [] }, token: 1 }]
  for (const session of [...garbage, { token: customer.token }]) {
    await store(page, 'auth', session)
    await page.goto('/cart')
    await expect(page.getByRole('heading', { name: 'Hello Guest' })).toBeVisible()
  }
})

test('a session that ends meanwhile is noticed at the next step', async ({ page, signedIn }) => {
  await page.goto('/dashboard/user')
  await expect(page.getByRole('main')).toContainText(signedIn.email)
  await signedIn.call(sessionCalls.logout)
  await page.getByRole('navigation', { name: 'User area' }).getByText('Orders').click()
  await expect(page.getByText(COUNTDOWN)).toBeVisible()
})

test('a session that ends while the profile is open is noticed on saving', async ({
  page,
  signedIn,
}) => {
  await page.goto('/dashboard/user/profile')
  await expect(page.getByLabel('Email')).toHaveValue(signedIn.email)
  await signedIn.call(sessionCalls.logout)
  await page.getByRole('button', { name: 'UPDATE' }).click()
  await expect(page.getByText(COUNTDOWN)).toBeVisible()
})

test('logging out ends the session here, in other tabs and on the server', {
  tag: '@journey',
}, async ({ page, context, signedIn }) => {
  const other = await context.newPage()
  await other.goto('/dashboard/user')
  await expect(other.getByRole('main')).toContainText(signedIn.email)
  await page.goto('/dashboard/user')
  await page.getByRole('button', { name: signedIn.user.name }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  expect(await stored(page, 'auth')).toBeNull()
  await expect(other.getByText(COUNTDOWN)).toBeVisible()
  await expect(() =>
    expect(signedIn.call(sessionCalls.checkUser)).rejects.toThrow('Please log in.'),
  ).toPass()
})

test('logging out waits for no answer, and ends no session that begins meanwhile', async ({
  page,
  signedIn,
}) => {
  let answer = () => {}
  const late = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/auth/logout', async (route) => {
    await late
    await route.continue()
  })
  await page.goto('/about')
  await page.getByRole('button', { name: signedIn.user.name }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
  await logIn(page, signedIn.email)
  await expect(page).toHaveURL('/')
  const answered = page.waitForResponse('**/auth/logout')
  answer()
  await answered
  await page.goto('/dashboard/user')
  await expect(page.getByRole('main')).toContainText(signedIn.email)
})
