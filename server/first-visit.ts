/**
 * The order of a first visit: what is seen, then what answers. A page can be read before any of
 * its scripts is here, and its links and forms work without, so scripts wait for the first paint.
 */
import { sha256 } from './headers.ts'

const LINK = /<link ([^>]*)>/g
const STYLE = /^rel="stylesheet" href="([^"]+)"/
const FONT = /^rel="preload" href="([^"]+)" as="font"/

const PRELOAD = '<link rel="modulepreload" '
const LATE_PRELOAD = '<link rel="late" '
const MODULE = /<script type="module" async="">/g
const LATE_MODULE = '<script type="late">'

/** Fetches and runs what is late; at once where there is nothing to paint, in a hidden tab. */
const START = `(() => {
  const start = () => {
    for (const link of document.querySelectorAll('link[rel=late]')) link.rel = 'modulepreload'
    for (const late of document.querySelectorAll('script[type=late]')) {
      const script = document.createElement('script')
      script.type = 'module'
      script.text = late.text
      late.replaceWith(script)
    }
  }
  const painted = () => requestAnimationFrame(() => setTimeout(start))
  if (document.hidden) start()
  else requestAnimationFrame(painted)
})()`

/** What the page's policy has to let run besides the page's own scripts. */
export const START_HASH = sha256(START)

/** Makes the scripts of a page wait until it has been painted. */
export const seenFirst = (html: string) =>
  html
    .replaceAll(PRELOAD, LATE_PRELOAD)
    .replace(MODULE, LATE_MODULE)
    .replace('</body>', `<script>${START}</script></body>`)

/**
 * The `Link` header of a page: its style and its fonts, of which a browser hears before the page
 * where what stands in front of the shop makes early hints (103) of it.
 */
export function linkHeaderOf(html: string): string {
  const head = html.slice(0, html.indexOf('</head>'))
  const links = [...head.matchAll(LINK)].map(([, attributes = '']) => attributes)
  const found = (pattern: RegExp) => links.flatMap((one) => pattern.exec(one)?.[1] ?? [])
  return [
    ...found(STYLE).map((style) => `<${style}>; rel=preload; as=style`),
    ...found(FONT).map((font) => `<${font}>; rel=preload; as=font; type="font/woff2"; crossorigin`),
  ].join(', ')
}
