/** Taps before the page's scripts run: each is kept, shown as pressed, and acted on once. */
import type { BrowserContext, Page } from '@playwright/test'
import { productPath } from '#app/products/contract.ts'
import { productsInStock, stored } from '#tests/support/cart.ts'
import { aCategory } from '#tests/support/demo-catalogue.ts'
import { expect, test } from '#tests/support/journey.ts'

const BYTES_OF_KBIT = 1000 / 8

/** A page whose `goto` does not wait for hydration. */
const openPage = (context: BrowserContext) => context.newPage()

/** A slow phone: 1.6 Mbit/s, 150 ms, a processor that is four times slower. */
async function slowDown(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput: 1600 * BYTES_OF_KBIT,
    uploadThroughput: 750 * BYTES_OF_KBIT,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
}

declare global {
  interface Window {
    /** Whether the button was shown as pressed when the tap at first sight had been handled. */
    firstTap?: { isKept: boolean }
  }
}

/** Taps the first button with this label as soon as the browser has painted it. */
const tapAtFirstSight = (page: Page, label: RegExp) =>
  page.addInitScript((text) => {
    const tap = () => {
      const buttons = [...document.querySelectorAll('main button')]
      const button = buttons.find(({ textContent }) => new RegExp(text, 'i').test(textContent))
      if (!(button instanceof HTMLElement)) return requestAnimationFrame(tap)
      button.click()
      window.firstTap = { isKept: 'kept' in button.dataset }
    }
    new PerformanceObserver((_entries, observer) => {
      observer.disconnect()
      tap()
    }).observe({ type: 'paint', buffered: true })
  }, label.source)

/** Holds the page's scripts back until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

const kept = (page: Page) => page.locator('[data-kept]')

for (const name of ['home', 'product'])
  test(`a tap on Add to Cart at first sight of the ${name} page adds the product once`, {
    tag: ['@journey', '@phone'],
  }, async ({ context, call }) => {
    const [product] = await productsInStock(call, 1)
    if (!product) throw new Error('no product')
    const page = await openPage(context)
    await slowDown(page)
    await tapAtFirstSight(page, /^add to cart$/)
    // on a busy machine the scripts might be there before the paint is reported
    const release = await holdScripts(page)
    await page.goto(name === 'home' ? '/' : productPath(product), { waitUntil: 'commit' })
    const tapped = await page.waitForFunction(() => window.firstTap)
    const tap = await tapped.jsonValue()
    expect(tap?.isKept).toBe(true)
    release()
    await expect(page.getByText('Item Added to Cart')).toBeVisible()
    await expect(kept(page)).toHaveCount(0)
    expect(await stored(page, 'cart')).toHaveLength(1)
  })

test('two taps on a button before the scripts run count once', async ({ context }) => {
  const page = await openPage(context)
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  const add = page
    .getByRole('article')
    .getByRole('button', { name: 'Add to Cart', disabled: false })
  await add.first().click()
  await add.first().click()
  await expect(kept(page)).toHaveCount(1)
  release()
  await expect(page.getByRole('link', { name: /^Cart/ })).toContainText('1')
  expect(await stored(page, 'cart')).toHaveLength(1)
})

test('a filter that is chosen early stays chosen, and filters', async ({ context, call }) => {
  const { _id, name } = await aCategory(call)
  const page = await openPage(context)
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  const box = page.getByRole('checkbox', { name, exact: true })
  await box.check()
  release()
  await expect(page).toHaveURL(new RegExp(`category=${_id}`))
  await expect(box).toBeChecked()
})

test('the slides move by an early tap on Next', async ({ context }) => {
  const page = await openPage(context)
  const release = await holdScripts(page)
  await page.goto('/', { waitUntil: 'commit' })
  const strip = page.getByRole('region', { name: 'Highlights' }).locator('> div')
  await page.getByRole('button', { name: 'Next' }).click()
  release()
  await expect.poll(() => strip.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(100)
})

test('a form that is sent early logs in', async ({ context, customer }) => {
  const page = await openPage(context)
  const release = await holdScripts(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('Email').fill(customer.email)
  await page.getByLabel('Password').fill(customer.password)
  await page.getByLabel('Password').press('Enter')
  await expect(kept(page)).toHaveText('Login')
  release()
  await expect(page.getByRole('button', { name: customer.user.name })).toBeVisible()
})

test('a form that is sent between hydration and its mark is sent once', async ({
  context,
  customer,
}) => {
  const page = await openPage(context)
  const { email, password } = customer
  const secrets = { email, password }
  const sent: string[] = []
  page.on('request', (request) => request.url().endsWith('/auth/login') && sent.push(request.url()))
  await page.addInitScript((secrets) => {
    const mark = document.dispatchEvent.bind(document)
    document.dispatchEvent = (event) => {
      if (event.type !== 'hydrated') return mark(event)
      for (const [name, value] of Object.entries(secrets)) {
        const field = document.querySelector<HTMLInputElement>(`main [name=${name}]`)
        if (field) field.value = value
      }
      document.querySelector<HTMLFormElement>('main form')?.requestSubmit()
      return mark(event)
    }
  }, secrets)
  await page.goto('/login')
  await expect(page.getByRole('button', { name: customer.user.name })).toBeVisible()
  expect(sent).toHaveLength(1)
})

test('the menu of the account is there early, and its entries work after hydration', {
  tag: ['@phone'],
}, async ({ context, signedIn }) => {
  const page = await openPage(context)
  const release = await holdScripts(page)
  await page.goto('/about', { waitUntil: 'commit' })
  await expect(page.getByRole('link', { name: 'Login' })).toBeHidden()
  await page.getByRole('button', { name: signedIn.user.name }).click()
  await page.getByText('Dashboard').click()
  await expect(kept(page)).toHaveText('Dashboard')
  release()
  await expect(page).toHaveURL(/\/dashboard\/user$/)
  await expect(page.getByRole('button', { name: signedIn.user.name })).toBeVisible()
})

test('the theme is chosen without the scripts', async ({ context }) => {
  const page = await openPage(context)
  const release = await holdScripts(page)
  await page.goto('/about', { waitUntil: 'commit' })
  await page.getByLabel('Theme').selectOption('Dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  release()
})
