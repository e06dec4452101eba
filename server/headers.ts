import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Config } from './config.ts'

/** A Content-Security-Policy: its directives and what each allows. */
type Policy = Record<string, string[]>

const inWords = (policy: Policy) =>
  Object.entries(policy)
    .map(([directive, allowed]) => [directive, ...allowed].join(' '))
    .join('; ')

const NONE = ["'none'"]
const SELF = ["'self'"]
const NO_EMBEDDING: Policy = { 'base-uri': NONE, 'frame-ancestors': NONE }

/** What is no page needs nothing: nothing in it runs, even where somebody opens it as a page. */
const BARE_POLICY = inWords({ 'default-src': NONE, 'form-action': NONE, ...NO_EMBEDDING })

/** The browser of the API's description shows small pictures of its own, and styles by itself. */
export const DOCUMENTATION_POLICY = inWords({
  'default-src': NONE,
  'script-src': SELF,
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': SELF,
  'form-action': NONE,
  ...NO_EMBEDDING,
})

const takesRazorpay = ({ RAZORPAY_KEY_ID, RAZORPAY_KEY_SECRET }: Config) =>
  Boolean(RAZORPAY_KEY_ID && RAZORPAY_KEY_SECRET)

/** Where Razorpay's dialog has its parts, by its documentation. */
const RAZORPAY = 'https://*.razorpay.com'

/**
 * Makes the policy of the shop's pages. Of inline scripts only those run whose hashes are given,
 * so that a kept page keeps its policy. Styles may be inline: the toasts, the charts and the
 * provider's dialog write theirs as they run, and a style reads and sends nothing. The provider's
 * hosts are allowed on every page, for a page stays when the customer walks on to the cart.
 */
export function pagePolicyOf(config: Config): (scriptHashes: string[]) => string {
  const provider = takesRazorpay(config) ? [RAZORPAY] : []
  const policy: Policy = {
    'default-src': SELF,
    'style-src': [...SELF, "'unsafe-inline'"],
    // a photo is shown before it is uploaded
    'img-src': [...SELF, 'data:', 'blob:', ...provider],
    // Chromium looks a photo up once more that it could not show
    'connect-src': [...SELF, 'blob:', ...provider],
    'frame-src': provider.length > 0 ? provider : NONE,
    'form-action': [...SELF, ...provider],
    'object-src': NONE,
    ...NO_EMBEDDING,
  }
  return (hashes) => inWords({ ...policy, 'script-src': [...SELF, ...provider, ...hashes] })
}

/** A script as a policy names it. */
export const sha256 = (script: string) =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/**
 * Takes the renderer's mark out of a page and answers the hashes of the inline scripts that had
 * it. A script that got into the page in any other way has no mark, and so no hash.
 */
export function takeMarks(html: string, mark: string): { html: string; hashes: string[] } {
  const marked = ` nonce="${mark}"`
  const hashes = new Set<string>()
  for (const piece of html.split('<script').slice(1)) {
    const open = piece.indexOf('>')
    const script = piece.slice(open + 1, piece.indexOf('</script', open))
    if (piece.slice(0, open).includes(marked) && script !== '') hashes.add(sha256(script))
  }
  return { html: html.replaceAll(marked, ''), hashes: [...hashes] }
}

/** What no page of the shop uses; paying may be asked for by the provider's dialog. */
const permissions = (config: Config) => {
  const unused = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'usb']
  const payment = takesRazorpay(config)
    ? '(self "https://api.razorpay.com" "https://checkout.razorpay.com")'
    : '()'
  return [...unused.map((feature) => `${feature}=()`), `payment=${payment}`].join(', ')
}

export const HSTS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

export type Headers = Record<string, string>

/** What browsers are told with every answer, even of what is no request; pages have another policy. */
export const headersOf = (config: Config): Headers => ({
  'content-security-policy': BARE_POLICY,
  'permissions-policy': permissions(config),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  // a payment provider's dialog opens the bank's page in a window that must answer it
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  // and may want to see which site it is opened from
  'referrer-policy': 'strict-origin-when-cross-origin',
})

/**
 * To stay with TLS, where the request came by it: browsers ignore this over plain HTTP, and a
 * proxy that is not trusted may say anything.
 */
export const tlsHeadersOf = ({ protocol }: Pick<FastifyRequest, 'protocol'>): Headers =>
  protocol === 'https' ? HSTS : {}
