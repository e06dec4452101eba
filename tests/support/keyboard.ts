import type { Locator, Page } from '@playwright/test'
import { expect } from './journey.ts'

/** More presses than any page needs; a target behind them counts as out of reach. */
const MAX_PRESSES = 90

/** Why a person cannot see which element has the focus; null when they can. */
function faultOfFocus(): string | null {
  const focused = document.activeElement
  if (!focused || focused === document.body) return 'nothing has the focus'
  // a file input covers its area invisibly, and the area shows the focus; an amount is in its field
  const area = focused.matches('[type=file]') ? focused.parentElement : focused.closest('.input')
  const shown = area ?? focused
  const { outlineStyle, outlineWidth } = getComputedStyle(shown)
  const name = `${focused.tagName} ${focused.getAttribute('aria-label') ?? focused.textContent}`
  // the skip link's target, and a dialog that has just opened
  if (focused instanceof HTMLElement && focused.tabIndex < 0) return null
  if (outlineStyle === 'none' || Number.parseFloat(outlineWidth) < 1.5) return `no outline: ${name}`
  const { left, right, top, bottom } = shown.getBoundingClientRect()
  const points = [0.1, 0.5, 0.9].flatMap((x) =>
    [0.1, 0.5, 0.9].map((y) => [left + (right - left) * x, top + (bottom - top) * y] as const),
  )
  const isSeen = points.some(([x, y]) => {
    const hit = document.elementFromPoint(x, y)
    return hit && (shown.contains(hit) || hit.contains(shown))
  })
  return isSeen ? null : `covered: ${name}`
}

/** Fails where the focus cannot be seen: without an outline, or covered by something (WCAG 2.4.7, 2.4.11). */
export async function expectVisibleFocus(page: Page) {
  // the page scrolls smoothly in some browsers
  await expect.poll(() => page.evaluate(faultOfFocus)).toBeNull()
}

const hasFocus = (target: Locator) =>
  target.evaluateAll((found) => found.some((one) => one === document.activeElement))

/** Presses Tab until the element has the focus, as a person does, who sees where the focus is at each step. */
export async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  const page = target.page()
  await expect(target.first()).toBeAttached()
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    if (await hasFocus(target)) return
    await page.keyboard.press(key)
    await expectVisibleFocus(page)
  }
  throw new Error(`Not reached by ${MAX_PRESSES} presses of ${key}: ${target}`)
}

/** Walks to an element and presses it. */
export async function press(target: Locator, key = 'Enter') {
  await tabTo(target)
  await target.page().keyboard.press(key)
}

/** Walks to a field and types into it. */
export async function type(target: Locator, text: string) {
  await tabTo(target)
  await target.page().keyboard.type(text)
}
