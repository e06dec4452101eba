import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
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
  /** Audits that did not pass. */
  complaints: string[]
  /** Lighthouse's benchmark index of the machine. */
  machine: number
}

/** Lighthouse has 80 MB, so npm fetches it when it runs. It is no dependency. */
const LIGHTHOUSE = 'lighthouse@13.5.0'
const ATTEMPTS = 3

type Category = { score: number | null; auditRefs: { id: string; group?: string }[] }
type Audit = { score: number | null; title: string; displayValue?: string; numericValue?: number }

/** The parts of Lighthouse's report that are read here. */
type Report = {
  categories: Partial<Record<string, Category>>
  audits: Partial<Record<string, Audit>>
  environment: { benchmarkIndex: number }
}

/** The score from which Lighthouse shows an audit as passed. */
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
    fcp: time('fcp'),
    lcp: time('lcp'),
    tbt: time('tbt'),
    cls: time('cls'),
    complaints: complaintsOf(report),
    machine: Math.round(report.environment.benchmarkIndex),
  }
}

/** Runs Lighthouse against the browser at `port`. Throws with its last lines when it fails. */
async function reportOf(url: string, port: number): Promise<Report> {
  const flags = [
    '--output=json',
    '--quiet',
    `--port=${port}`,
    `--only-categories=${SCORES.join(',')}`,
  ]
  const command = ['exec', '--yes', '--', LIGHTHOUSE, url, ...flags]
  try {
    const { stdout } = await promisify(execFile)('npm', command, { maxBuffer: 100 * 2 ** 20 })
    return JSON.parse(stdout)
  } catch (error) {
    const lastLines = String(Object(error).stderr).trim().split('\n').slice(-3).join('\n')
    throw new Error(
      `${LIGHTHOUSE} failed. npm fetches it from the registry the first time: try \`npm exec --yes -- ${LIGHTHOUSE} --version\`.\n${lastLines}`,
    )
  }
}

async function visitOnce(url: string): Promise<Visit> {
  const port = await freePort()
  const { args = [], ...options } = await findChromium()
  const browser = await chromium.launch({
    ...options,
    args: [...args, `--remote-debugging-port=${port}`],
  })
  try {
    return visitOf(await reportOf(url, port))
  } finally {
    await browser.close()
  }
}

/**
 * Visits a page on Lighthouse's slow phone, in a new browser. On a busy machine Lighthouse may miss
 * the start of the page and gives no report; then the visit is repeated.
 */
export async function visit(url: string): Promise<Visit> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await visitOnce(url)
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      console.error(`Lighthouse gave no report of ${url}; trying again.`)
    }
  }
}
