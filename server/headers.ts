import { createHash } from 'node:crypto'
import { pageSourcesOf } from '#app/payments/server/providers/list.ts'
import type { Config } from './config.ts'

/** A Content-Security-Policy: its directives and what each allows. */
type Policy = Record<string, string[]>

const serializePolicy = (policy: Policy) =>
  Object.entries(policy)
    .map(([directive, allowed]) => [directive, ...allowed].join(' '))
    .join('; ')

const NONE = ["'none'"]
const SELF = ["'self'"]
const NO_EMBEDDING: Policy = { 'base-uri': NONE, 'frame-ancestors': NONE }

/** For answers that are not pages: nothing in them may run or load, even when opened as a page. */
const BARE_POLICY = serializePolicy({ 'default-src': NONE, 'form-action': NONE, ...NO_EMBEDDING })

/** The API documentation shows data: images and uses inline styles. */
export const DOCUMENTATION_POLICY = serializePolicy({
  'default-src': NONE,
  'script-src': SELF,
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'connect-src': SELF,
  'form-action': NONE,
  ...NO_EMBEDDING,
})

/**
 * Creates the policy of the shop's pages. Only inline scripts with the given hashes run, so that a
 * cached page keeps its policy. Inline styles are allowed: the toasts, the charts and the
 * provider's dialog write theirs at runtime, and a style cannot read or send data. The hosts of payment
 * providers are allowed on every page, because client-side navigation to the cart keeps the first
 * page's policy.
 */
export function pagePolicyOf(config: Config): (scriptHashes: string[]) => string {
  const { hosts, frames } = pageSourcesOf(config)
  const policy: Policy = {
    'default-src': SELF,
    'style-src': [...SELF, "'unsafe-inline'"],
    // the preview of a photo before its upload
    'img-src': [...SELF, 'data:', 'blob:', ...hosts],
    // Chromium fetches a photo again that it could not display
    'connect-src': [...SELF, 'blob:', ...hosts],
    'frame-src': hosts.length > 0 ? [...hosts, ...frames] : NONE,
    'form-action': [...SELF, ...hosts],
    'object-src': NONE,
    ...NO_EMBEDDING,
  }
  return (hashes) => serializePolicy({ ...policy, 'script-src': [...SELF, ...hosts, ...hashes] })
}

/** The source expression of an inline script. */
export const sha256 = (script: string) =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/**
 * Removes the renderer's nonce from a page and returns the hashes of the inline scripts that had
 * it. An injected script has no nonce, and so no hash.
 */
export function extractNonceHashes(
  html: string,
  nonce: string,
): { html: string; hashes: string[] } {
  const attribute = ` nonce="${nonce}"`
  const hashes = new Set<string>()
  for (const piece of html.split('<script').slice(1)) {
    const open = piece.indexOf('>')
    const script = piece.slice(open + 1, piece.indexOf('</script', open))
    if (piece.slice(0, open).includes(attribute) && script !== '') hashes.add(sha256(script))
  }
  return { html: html.replaceAll(attribute, ''), hashes: [...hashes] }
}

/** Disables browser features that no page uses; the provider's dialog may request payments. */
const permissions = (config: Config) => {
  const unused = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'usb']
  const origins = pageSourcesOf(config).payment.map((origin) => `"${origin}"`)
  const payment = origins.length > 0 ? ['self', ...origins] : []
  return [...unused.map((feature) => `${feature}=()`), `payment=(${payment.join(' ')})`].join(', ')
}

export type Headers = Record<string, string>

/**
 * HSTS, for requests that came by TLS: browsers ignore it over plain HTTP, and an untrusted proxy may
 * claim anything.
 */
export const hstsOf = ({ HSTS_SUBDOMAINS }: Pick<Config, 'HSTS_SUBDOMAINS'>): Headers => ({
  'strict-transport-security': `max-age=31536000${HSTS_SUBDOMAINS === 'on' ? '; includeSubDomains' : ''}`,
})

/** Headers of every answer, also of client errors; pages have another policy. */
export const headersOf = (config: Config): Headers => ({
  'content-security-policy': BARE_POLICY,
  'permissions-policy': permissions(config),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  // the provider's dialog opens the bank's page in a window that must be able to answer it
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  // the provider may check the site that opened it
  'referrer-policy': 'strict-origin-when-cross-origin',
})
