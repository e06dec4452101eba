import type { Page } from '@playwright/test'
import { fixedWork } from './yardstick.ts'

const ROUNDS = 5

/** What the fixed work takes in this page, at best: in milliseconds, and slowed down as the page is. */
export async function pageYardstick(page: Page): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    times.push(
      await page.evaluate(`(() => {
        const since = performance.now()
        ;(${fixedWork})()
        return performance.now() - since
      })()`),
    )
  return Math.min(...times)
}
