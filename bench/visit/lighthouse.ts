import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { findChromium } from '#tests/support/chromium.ts'
import { freePort } from '#tests/support/free-port.ts'

export const SCORES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

const TIMES = {
  fcp: 'first-contentful-paint',
  lcp: 'largest-contentful-paint',
  tbt: 'total-blocking-time',
  cls: 'cumulative-layout-shift',
} as const

/** Scores of 100; first and largest paint and blocking time in ms; the shift has no unit. */
export type Visit = Record<(typeof SCORES)[number] | keyof typeof TIMES, number> & {
  /** What is less than perfect, for whoever mends it. */
  complaints: string[]
}

type Report = NonNullable<Awaited<ReturnType<typeof lighthouse>>>['lhr']

/** From here on Lighthouse has no complaint. */
const GOOD = 0.9

function complaintsOf({ categories, audits }: Report): string[] {
  const names = SCORES.flatMap((score) => categories[score]?.auditRefs ?? [])
    .filter(({ group }) => group !== 'metrics')
    .map(({ id }) => id)
  return names.flatMap((name) => {
    const { score = null, title = name, displayValue = '' } = audits[name] ?? {}
    return score !== null && score < GOOD ? [`${title} ${displayValue}`.trim()] : []
  })
}

function visitOf(report: Report): Visit {
  const score = (name: (typeof SCORES)[number]) =>
    Math.round((report.categories[name]?.score ?? 0) * 100)
  const time = (name: keyof typeof TIMES) =>
    report.audits[TIMES[name]]?.numericValue ?? Number.POSITIVE_INFINITY
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
    ...{ fcp: time('fcp'), lcp: time('lcp'), tbt: time('tbt'), cls: time('cls') },
    complaints: complaintsOf(report),
  }
}

/** Visits a page for the first time, as Lighthouse's slow phone, in a browser of its own. */
export async function visit(url: string): Promise<Visit> {
  const port = await freePort()
  const { args = [], ...options } = await findChromium()
  const browser = await chromium.launch({
    ...options,
    args: [...args, `--remote-debugging-port=${port}`],
  })
  try {
    const outcome = await lighthouse(url, {
      ...{ port, logLevel: 'error' },
      onlyCategories: [...SCORES],
    })
    if (!outcome) throw new Error(`Lighthouse has nothing to say of ${url}`)
    return visitOf(outcome.lhr)
  } finally {
    await browser.close()
  }
}
