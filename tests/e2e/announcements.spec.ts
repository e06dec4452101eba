/** Announcements of a screen reader: the texts of the one live region. */
import type { Page } from '@playwright/test'
import { createCategory, named } from '#tests/support/back-office.ts'
import { openCart, productsInStock } from '#tests/support/cart.ts'
import { expect, test } from '#tests/support/journey.ts'

declare global {
  interface Window {
    heard?: string[]
  }
}

/** Notes each text that is added to a live region which was there before it. */
function listen() {
  const texts: string[] = []
  window.heard = texts
  const observer = new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const around = target instanceof Element ? target : target.parentElement
      if (!around?.closest('[role=status]')) continue
      for (const node of addedNodes) texts.push(node.textContent ?? '')
    }
  })
  observer.observe(document, { childList: true, subtree: true, characterData: true })
}

/** Waits until a text was heard. */
async function expectHeard(page: Page, text: string | RegExp) {
  const heard = expect.poll(() => page.evaluate(() => window.heard?.join(' | ') ?? ''))
  await (text instanceof RegExp ? heard.toMatch(text) : heard.toContain(text))
}

test.beforeEach(({ page }) => page.addInitScript(listen))

test('the title of a page, the results of a filter, and what is added to the cart are announced', async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'About' }).click()
  await expectHeard(page, 'About us · Haat')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click()
  await expectHeard(page, /\d+ results/)
  await page.getByRole('radio', { name: '$0 to 19' }).check()
  await expect(page).toHaveURL(/price=0-19/)
  await expectHeard(page, /results.* \| .*\d+ results/)
  await page.getByRole('button', { name: 'Add to Cart', disabled: false }).first().click()
  await expectHeard(page, 'Item Added to Cart')
  await page.getByRole('link', { name: /^Cart/ }).click()
  await expectHeard(page, '1 item in the cart')
})

test('a change of the cart is announced, and its last row leaves the focus in the page', async ({
  page,
  call,
}) => {
  const [product] = await productsInStock(call, 1)
  await openCart(page, [product, product])
  const remove = page.getByRole('button', { name: 'Remove' })
  await remove.focus()
  await page.keyboard.press('Enter')
  await expectHeard(page, '1 item in the cart')
  await expect(remove).toBeFocused()
  await page.keyboard.press('Enter')
  await expectHeard(page, '0 items in the cart')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeFocused()
  // a frame is for what takes keys
  await expect(heading).toHaveCSS('outline-style', 'none')
})

test('a toast is announced in a dialog, and after it has closed', async ({ page, admin }) => {
  const { name } = await createCategory(admin, named('Cups'))
  const other = await createCategory(admin, named('Mugs'))
  await page.goto(`/dashboard/admin/create-category?q=${encodeURIComponent(name)}`)
  const row = page.getByRole('row').filter({ hasText: name })
  await row.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill(other.name)
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expectHeard(page, 'already')
  const renamed = named('Jugs')
  await dialog.getByRole('textbox').fill(renamed)
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await expect(dialog).toBeHidden()
  await expectHeard(page, `${renamed} is updated`)
})
