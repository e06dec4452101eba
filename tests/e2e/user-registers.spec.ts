import { fillRegistration, logIn } from '#tests/support/account-forms.ts'
import { stored } from '#tests/support/cart.ts'
import { expect, test } from '#tests/support/journey.ts'

const someEmail = () => `${crypto.randomUUID()}@example.com`

test('registers and logs in', { tag: ['@journey', '@phone'] }, async ({ page }) => {
  const email = someEmail()
  await page.goto('/register')
  await expect(page.getByRole('heading', { name: 'REGISTER FORM' })).toBeVisible()
  await expect(page.getByLabel('Password')).toHaveAccessibleDescription('At least 8 characters.')
  await fillRegistration(page, email)
  await page.getByRole('button', { name: 'REGISTER' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Registered successfully')).toBeVisible()

  await logIn(page, email, 'correct-horse')
  await expect(page).toHaveURL('/')
  await expect(page.getByText('Logged in successfully')).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Main' }).getByText('Asha Rao')).toBeVisible()
  expect(await stored(page, 'auth')).toEqual({
    user: expect.objectContaining({ name: 'Asha Rao', email, role: 0 }),
    token: expect.stringMatching(/./),
  })
  await page.reload()
  await expect(page.getByRole('navigation', { name: 'Main' }).getByText('Asha Rao')).toBeVisible()
})

test('is told that the email is taken, and keeps what was typed', async ({ page, customer }) => {
  await page.goto('/register')
  await fillRegistration(page, customer.email)
  await page.getByRole('button', { name: 'REGISTER' }).click()
  await expect(page.getByText('This email is already registered.').first()).toBeVisible()
  await expect(page).toHaveURL('/register')
  const email = page.getByLabel('Email')
  await expect(email).toBeFocused()
  await expect(email).toHaveAttribute('aria-invalid', 'true')
  await expect(email).toHaveAccessibleDescription(/already registered/)
  await expect(page.getByLabel('Name')).toHaveValue('Asha Rao')
  await expect(page.getByLabel('Answer')).toHaveValue('cricket')
})

test('sends a registration once, however often it is pressed', async ({ page }) => {
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') sent.push(request.url())
  })
  await page.goto('/register')
  await fillRegistration(page, someEmail())
  await page.getByRole('button', { name: 'REGISTER' }).dblclick()
  await expect(page).toHaveURL('/login')
  expect(sent).toHaveLength(1)
})

test('logs in after the empty fields are shown at the fields', async ({ page, customer }) => {
  await page.goto('/login')
  await page.getByRole('main').getByRole('button', { name: 'Login' }).click()
  for (const label of ['Email', 'Password']) {
    await expect(page.getByLabel(label)).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel(label)).toHaveAccessibleDescription(/./)
  }
  await expect(page.getByLabel('Email')).toBeFocused()
  await logIn(page, customer.email)
  await expect(page).toHaveURL('/')
})

test('hears of a failure that brings no words, and keeps what was typed', async ({ page }) => {
  await page.route('**/auth/register', (route) => route.fulfill({ status: 429, body: 'Busy' }))
  await page.goto('/register')
  await fillRegistration(page, someEmail())
  await page.getByRole('button', { name: 'REGISTER' }).click()
  await expect(page.getByText('Something went wrong', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue('Asha Rao')
})

test('resets a forgotten password by the security answer', { tag: '@journey' }, async ({
  page,
  customer,
}) => {
  await page.goto('/login')
  await page.getByRole('link', { name: 'Forgot Password?' }).click()
  await expect(page.getByRole('heading', { name: 'RESET PASSWORD' })).toBeVisible()
  await page.getByLabel('Email').fill(customer.email)
  await page.getByLabel('Answer').fill('chess')
  await page.getByLabel('New Password').fill('another-horse')
  await page.getByRole('button', { name: 'RESET' }).click()
  await expect(page.getByText('Wrong email or answer')).toBeVisible()

  await page.getByLabel('Answer').fill(customer.answer)
  await page.getByRole('button', { name: 'RESET' }).click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Password reset successfully')).toBeVisible()

  await logIn(page, customer.email, customer.password)
  await expect(page.getByText('Wrong email or password')).toBeVisible()
  await logIn(page, customer.email, 'another-horse')
  await expect(page).toHaveURL('/')
})

test('logs in back to a page of this shop, and to no other', async ({ page, customer }) => {
  await page.goto('/login?from=%2Fabout')
  await logIn(page, customer.email, customer.password)
  await expect(page).toHaveURL('/about')
  await page.goto(`/login?from=${encodeURIComponent('/a/..//example.org')}`)
  await logIn(page, customer.email, customer.password)
  await expect(page).toHaveURL('/')
})

test('a logged-in user sees a note, and can log out', async ({ page, signedIn }) => {
  for (const path of ['/register', '/login']) {
    await page.goto(path)
    const main = page.getByRole('main')
    await expect(main).toContainText(`You are logged in as ${signedIn.user.name}.`)
    await expect(main.getByRole('link', { name: 'Dashboard' })).toHaveAttribute(
      'href',
      '/dashboard/user',
    )
  }
  await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByText('You are logged in as')).toBeHidden()
  expect(await stored(page, 'auth')).toBeNull()
})
