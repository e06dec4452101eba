/** A first visit on a phone that is slow: line and processor are throttled, nothing is simulated. */
import { type Browser, devices, type Page } from '@playwright/test'

/**
 * In milliseconds: the largest paint; the blocking time, which is what tasks after the first paint last above 50 ms;
 * and when the first product is in the cart by a tap.
 */
export type SlowVisit = { lcp: number; blocked: number; added: number }

const PHONE = devices['Pixel 7']
const BYTES_OF_KBIT = 1000 / 8
const LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 1600 * BYTES_OF_KBIT,
  uploadThroughput: 750 * BYTES_OF_KBIT,
}
const PROCESSOR = { rate: 4 }

declare global {
  interface Window {
    slowVisit?: SlowVisit
  }
}

async function slowDown(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', LINE)
  await session.send('Emulation.setCPUThrottlingRate', PROCESSOR)
}

/**
 * Taps the first 'Add to Cart' from the first paint on, until a tap is acted on: at once, or later where
 * the page keeps early taps. Sent as its source text, so it uses nothing from outside.
 */
function tapAndWatch() {
  const visit = { lcp: 0, blocked: 0, added: 0 }
  window.slowVisit = visit
  const ACCEPTED = 50
  new PerformanceObserver((list) => {
    const [painted] = performance.getEntriesByName('first-contentful-paint')
    for (const { startTime, duration } of list.getEntries())
      if (painted && startTime >= painted.startTime) visit.blocked += duration - ACCEPTED
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) visit.lcp = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  const { setItem } = Storage.prototype
  Storage.prototype.setItem = function (key, value) {
    if (key === 'cart') visit.added ||= performance.now()
    setItem.call(this, key, value)
  }
  const tap = () => {
    if (visit.added > 0) return clearInterval(taps)
    const buttons = [...document.querySelectorAll<HTMLButtonElement>('main button:enabled')]
    const isPainted = performance.getEntriesByType('paint').length > 0
    if (isPainted) buttons.find(({ textContent }) => /^add to cart$/i.test(textContent))?.click()
  }
  const taps = setInterval(tap, 20)
}

/** Visits a page with an empty browser cache. */
export async function visitSlowly(browser: Browser, url: string): Promise<SlowVisit> {
  const context = await browser.newContext(PHONE)
  try {
    const page = await context.newPage()
    await slowDown(page)
    await page.addInitScript(tapAndWatch)
    await page.goto(url, { waitUntil: 'load' })
    const visited = await page.waitForFunction(() =>
      window.slowVisit?.added && window.slowVisit.lcp ? window.slowVisit : null,
    )
    const visit = await visited.jsonValue()
    if (!visit) throw new Error(`Nothing could be added to the cart on ${url}.`)
    return visit
  } finally {
    await context.close()
  }
}
