/** The limits of a first visit to a public page, checked by the build, the browser tests and the benchmark. */
export const BUDGET = {
  /** Gzip, in KB of 1024 bytes. */
  sizeKb: { scripts: 130, styles: 14 },
  /** Lighthouse's scores, of 100. */
  score: 98,
  /** Milliseconds, on a phone that is throttled. */
  lcp: 1200,
  /** Milliseconds, on the phone that Lighthouse simulates. */
  tbt: 50,
  /** Layout shift. */
  cls: 0,
}
