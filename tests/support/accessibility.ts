import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect } from './journey.ts'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** The narrowest phone that WCAG asks for (1.4.10 Reflow). */
const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }

/**
 * Each theme once and each width once: a theme changes only colours, which do not depend on the
 * width. Elements of one width are checked in that look's theme.
 */
const LOOKS = [
  { colorScheme: 'light', viewport: DESKTOP },
  { colorScheme: 'dark', viewport: PHONE },
] as const

/**
 * Ends the theme's transitions; endless animations continue. Scrolls to the top, because axe counts the
 * part of a target that is not under the header.
 */
const endTransitions = (page: Page) =>
  page.evaluate(() => {
    scrollTo(0, 0)
    for (const animation of document.getAnimations()) {
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        animation.finish()
    }
  })

async function violationsOn(page: Page, except: string[]) {
  // the shop has no cross-origin frames, for which the other mode opens a page
  const axe = new AxeBuilder({ page })
    .setLegacyMode()
    // selectors of all elements that pass would take most of the time
    .options({ resultTypes: ['violations'] })
    .withTags(WCAG)
  const { violations } = await axe.analyze()
  const found = violations.filter(({ id }) => !except.includes(id))
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  )
}

/** The width of the page beyond the window, in pixels. */
const overflowOf = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** The distances that a reader may set, which must lose nothing (WCAG 1.4.12 Text Spacing). */
const SPACED_TEXT =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } p { margin-bottom: 2em !important }'

/** The width beyond the window, while the text has more space. */
const spacedOverflowOf = (page: Page) =>
  page.evaluate((css) => {
    const style = document.head.appendChild(document.createElement('style'))
    style.textContent = css
    const { scrollWidth, clientWidth } = document.documentElement
    style.remove()
    return scrollWidth - clientWidth
  }, SPACED_TEXT)

/**
 * Fails where axe finds a violation of WCAG 2.2 A or AA, or where the page scrolls sideways, also with
 * spaced text.
 */
export async function expectAccessible(page: Page, state: string, except: string[] = []) {
  for (const { colorScheme, viewport } of LOOKS) {
    const look = `${state}, ${colorScheme}, ${viewport.width} px`
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await endTransitions(page)
    expect.soft(await violationsOn(page, except), look).toEqual([])
    expect.soft(await overflowOf(page), `${look}: beside the window`).toBe(0)
    if (viewport === PHONE)
      expect.soft(await spacedOverflowOf(page), `${look}: spaced text beside it`).toBe(0)
  }
}
