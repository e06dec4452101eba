/** The limits of a first visit to a public page, checked by the build, the browser tests and the benchmark. */
export const BUDGET = {
  /** Gzip, in KB of 1024 bytes. */
  sizeKb: {
    /** React, its DOM, the router and the stores: they grow by their releases, and all pages share one file. */
    vendor: 109,
    /** Scripts of the shop itself on one page: 22 KB take a slow phone 0.1 s of its line at 1.6 Mbit/s. */
    own: 22,
    /** The router's list of all pages. It grows by a few bytes with each page and each shared file. */
    siteMap: 4,
    /** Styles block the first paint: 14 KB fit into the first ten packets of a new connection. */
    styles: 14,
  },
  /** Lighthouse's scores, of 100. It rounds and varies by a point, so 100 would fail by chance. */
  score: 98,
  /** Milliseconds, on a phone that is throttled: half of what Google calls good (2,500). */
  lcp: 1200,
  /** Milliseconds, on the phone that Lighthouse simulates: no more than one task that people notice. */
  tbt: 50,
  /** Layout shift: nothing moves under a finger. */
  cls: 0,
}
