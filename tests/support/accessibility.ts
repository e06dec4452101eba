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

/** Ends the theme's transitions; endless animations continue. */
const endTransitions = (page: Page) =>
  page.evaluate(() => {
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

/** Fails where axe finds a violation of WCAG 2.2 A or AA, or where the page scrolls sideways. */
export async function expectAccessible(page: Page, state: string, except: string[] = []) {
  for (const { colorScheme, viewport } of LOOKS) {
    const look = `${state}, ${colorScheme}, ${viewport.width} px`
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await endTransitions(page)
    expect.soft(await violationsOn(page, except), look).toEqual([])
    expect.soft(await overflowOf(page), `${look}: beside the window`).toBe(0)
  }
}
