/** The specification, sentence by sentence: messages of failures, and what is only logged (specification.spec.ts). */
import type { Page } from '@playwright/test'
import { accountCalls } from '#app/accounts/contract.ts'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { categoryCalls } from '#app/categories/contract.ts'
import { orderCalls } from '#app/orders/contract.ts'
import { paymentCalls } from '#app/payments/contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { catalogueCalls } from '#app/products/catalogue-contract.ts'
import { publicationCalls } from '#app/products/publication-contract.ts'
import { searchCalls } from '#app/products/search-contract.ts'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import { fillRegistration, logIn } from '#tests/support/account-forms.ts'
import { breakCall, createCategory, createProduct, named } from '#tests/support/back-office.ts'
import { openCart, productsInStock } from '#tests/support/cart.ts'
import { expect, test } from '#tests/support/journey.ts'
import { confirm, payButton } from '#tests/support/payment-dialog.ts'
import { dialog, editPage, fill, press } from '#tests/support/product-pages.ts'
import { says } from '#tests/support/specification.ts'

const tag = ['@journey', '@specification']

const HOME = '/dashboard/admin'
const toasts = (page: Page) => page.locator('[role=status] > :not(.sr-only) p')
/** The newest toast is the first. */
const expectToast = (page: Page, text: string) => expect(toasts(page).first()).toHaveText(text)

test(says(
  'Toast messages are shown with their original spelling.',
  "Register, login, forgot password failure | 'Something went wrong'",
), { tag }, async ({ page, customer }) => {
  await breakCall(page, accountCalls.register)
  await page.goto('/register')
  await fillRegistration(page, `${crypto.randomUUID()}@example.com`)
  await page.getByRole('button', { name: 'REGISTER' }).click()
  await expectToast(page, 'Something went wrong')
  await breakCall(page, accountCalls.login)
  await page.goto('/login')
  await logIn(page, customer.email)
  await expectToast(page, 'Something went wrong')
  await breakCall(page, accountCalls.forgotPassword)
  await page.goto('/forgot-password')
  await page.getByLabel('Email').last().fill(customer.email)
  await page.getByLabel('Answer').fill(customer.answer)
  await page.getByLabel('New Password').fill('battery-staple')
  await page.getByRole('button', { name: 'RESET', exact: true }).click()
  await expectToast(page, 'Something went wrong')
})

test(says(
  'Toasts: success lasts 2 s, error and blank 4 s, at most 20 kept.',
  'Toasts: success 2 s, error 4 s, at most 20.',
), { tag }, async ({ page, call }) => {
  // keys press the buttons: a pointer waits for frames, which a paused clock holds
  await page.clock.install()
  await page.addInitScript(() =>
    document.addEventListener('hydrated', () => Object.assign(window, { isHydrated: true })),
  )
  /** A toast of the page with a paused clock is there until just before this time, and then no more. */
  const expectToLast = async (text: string, ms: number) => {
    await expectToast(page, text)
    await page.clock.runFor(ms - 1)
    await expectToast(page, text)
    await page.clock.runFor(1)
    await expect(toasts(page)).toHaveCount(0)
  }
  const pause = async () => {
    // what is pressed before is kept for a timer, which a paused clock holds, too
    await page.waitForFunction(() => 'isHydrated' in window)
    const now = await page.evaluate(() => Date.now())
    await page.clock.pauseAt(now + 60_000)
  }
  await openCart(page, await productsInStock(call, 1))
  await pause()
  await page.getByRole('button', { name: 'One less' }).press('Enter')
  await expectToLast('Remove takes the last one out of the cart.', 4000)
  await page.clock.resume()
  await page.goto('/')
  await pause()
  await page.getByRole('button', { name: 'Add to Cart', disabled: false }).first().press('Enter')
  await expectToLast('Item Added to Cart', 2000)
  await page.clock.resume()
  await breakCall(page, accountCalls.login)
  await page.goto('/login')
  await pause()
  await page.getByLabel('Email').fill('asha@example.com')
  await page.getByLabel('Password').fill('correct-horse')
  const login = page.getByRole('main').getByRole('button', { name: 'Login' })
  await login.press('Enter')
  await expectToLast('Something went wrong', 4000)
  for (let kept = 1; kept <= 20; kept += 1) {
    await login.press('Enter')
    await expect(toasts(page)).toHaveCount(kept)
  }
  const tried = page.waitForResponse((answer) => answer.status() === 418)
  await login.press('Enter')
  await tried
  await expect(login).toBeEnabled()
  await expect(toasts(page)).toHaveCount(20)
})

test(says(
  "Create category failure | 'somthing went wrong in input form'",
  "Category load failure | 'Something wwent wrong in getting catgeory'",
  "Category update or delete failure | 'Somtihing went wrong'",
), { tag }, async ({ page, admin }) => {
  const { name } = await createCategory(admin, named('Cups'))
  await page.goto(`${HOME}/create-category?q=${encodeURIComponent(name)}`)
  await breakCall(page, categoryAdminCalls.createCategory)
  await page.getByPlaceholder('Enter new category').first().fill(named('Cups'))
  await page.getByRole('button', { name: 'Submit' }).first().click()
  await expectToast(page, 'somthing went wrong in input form')
  const found = page.getByRole('row').filter({ hasText: name })
  await breakCall(page, categoryAdminCalls.updateCategory)
  await found.getByRole('button', { name: 'Edit' }).click()
  await dialog(page).getByRole('textbox').fill(named('Mugs'))
  await dialog(page).getByRole('button', { name: 'Submit' }).click()
  await expectToast(page, 'Somtihing went wrong')
  await page.reload()
  await breakCall(page, categoryAdminCalls.deleteCategory)
  await found.getByRole('button', { name: 'Delete' }).click()
  await dialog(page).getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Somtihing went wrong')
  await breakCall(page, categoryAdminCalls.countCategories)
  await breakCall(page, categoryCalls.getCategories)
  await page.goto(`${HOME}/create-category`)
  await expect(page.getByText('Something wwent wrong in getting catgeory').first()).toBeVisible()
})

test(says(
  "Create product failure | 'something went wrong'",
  "Product list load failure | 'Someething Went Wrong'",
), { tag }, async ({ page, admin }) => {
  const { name: category } = await createCategory(admin, named('Cups'))
  await page.goto(`${HOME}/create-product`)
  await page.getByRole('combobox', { name: 'Category', exact: true }).fill(category.slice(2))
  await page.getByRole('option', { name: category, exact: true }).click()
  await fill(page, { Name: named('Cup'), Description: 'Holds tea.', Price: '12.5', Quantity: '7' })
  await breakCall(page, productAdminCalls.createProduct)
  await press(page, 'CREATE PRODUCT')
  await expectToast(page, 'something went wrong')
  await breakCall(page, catalogueCalls.listCatalogue)
  await page.goto(`${HOME}/products`)
  await page
    .getByRole('button', { name: /leave|discard/i })
    .or(page.getByText('Someething Went Wrong').first())
    .first()
    .click()
  await expect(page.getByText('Someething Went Wrong').first()).toBeVisible()
})

test(says(
  "Payment amount not above 0 | 'Cart is empty or amount is invalid.'",
  "Payment verification failed | 'Payment verification failed'",
  "Other payment failure | 'Something went wrong in payment'",
), { tag }, async ({ page, signedIn, call }) => {
  await expect(signedIn.call(paymentCalls.startPayment, { body: { amount: 0 } })).rejects.toThrow(
    'Cart is empty or amount is invalid.',
  )
  await openCart(page, await productsInStock(call, 1))
  await page.route('**/razorpay/order', (route) =>
    route.fulfill({
      status: 400,
      json: { success: false, code: 'invalid', message: 'Cart is empty or amount is invalid.' },
    }),
  )
  await payButton(page).click()
  await expectToast(page, 'Cart is empty or amount is invalid.')
  await page.unroute('**/razorpay/order')
  await breakCall(page, paymentCalls.startPayment)
  await payButton(page).click()
  await expectToast(page, 'Something went wrong in payment')
  await page.unrouteAll()
  await page.route('**/razorpay/verify', (route) => {
    const { razorpay_signature: _, ...sent } = route.request().postDataJSON()
    return route.continue({ postData: JSON.stringify({ ...sent, razorpay_signature: 'forged' }) })
  })
  await payButton(page).click()
  await confirm(page)
  await expectToast(page, 'Payment verification failed')
})

test(says(
  'Logged only, with nothing shown to the user: search failure, home listing errors (loading flags are reset), order load failure, product load failure in the admin views, and category-loading failure on the search form.',
), { tag }, async ({ page, admin }) => {
  const expectNoToast = () => expect(toasts(page)).toHaveCount(0)
  const { slug } = await createProduct(admin, named('Cup'))
  await page.goto('/')
  const failing = async ({ path }: Endpoint, step: () => Promise<unknown>) => {
    const failed = page.waitForResponse((answer) =>
      answer.url().includes(API_PREFIX + path.replace(/:.*/, '')),
    )
    await step()
    await failed
    await expectNoToast()
  }
  await breakCall(page, categoryCalls.getCategories)
  await breakCall(page, searchCalls.searchShop)
  await page.getByPlaceholder('Search').fill('wool')
  await failing(searchCalls.searchShop, () => page.getByPlaceholder('Search').press('Enter'))
  await breakCall(page, publicationCalls.openProduct)
  await failing(publicationCalls.openProduct, () => page.goto(editPage(slug)))
  await breakCall(page, orderCalls.getOrders)
  await failing(orderCalls.getOrders, () => page.goto('/dashboard/user/orders'))
})

test(says('API prefix: /api/v1.'), { tag }, async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (['fetch', 'xhr'].includes(request.resourceType()))
      asked.push(new URL(request.url()).pathname)
  })
  await page.goto('/')
  await page.getByRole('button', { name: 'Load More' }).click()
  await expect(page.getByRole('button', { name: 'Loading ...' })).toHaveCount(0)
  await expect
    .poll(() => asked.filter((path) => path.startsWith('/api/v1/')).length)
    .toBeGreaterThan(0)
  expect(
    asked.filter((path) => !path.startsWith('/api/v1/') && !path.startsWith('/assets/')),
  ).toEqual([])
})

test(says("When a response reports failure, the server's message is shown as an error toast."), {
  tag,
}, async ({ page, customer }) => {
  await page.goto('/register')
  await fillRegistration(page, customer.email)
  await page.getByRole('button', { name: 'REGISTER' }).click()
  await expectToast(page, 'This email is already registered. Please log in.')
})
