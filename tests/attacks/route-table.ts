/** The routes that the router may have: those of the documented calls, and these. */
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { documentedCalls } from '#tests/support/documented-calls.ts'

/** Routes that are no call of the API, for GET only; `/api/*` answers 404 to every verb. */
export const OTHER_ROUTES = `
  /*
  /.well-known/change-password
  /robots.txt
  /sitemap.xml
  /sitemap-pages.xml
  /sitemap-products.xml
  /feed.xml
  /product-feed.xml
  /manifest.webmanifest
  /share.png
  /favicon.svg
  /favicon.ico
  /icon-192.png
  /icon-512.png
  /icon-maskable-512.png
  /apple-touch-icon.png
  /licenses.md
  /healthz
  /readyz
  /api/v1/payment/sandbox/checkout.js`
  .trim()
  .split(/\n\s*/)

const READ_ONLY = ['GET', 'HEAD']

/** Whether a route of the router, such as `GET /healthz`, is declared here. */
export function isAllowedRoute(route: string): boolean {
  const [verb = '', url = ''] = route.split(' ')
  if (url === '/api/*') return true
  const isFile = /^\/(assets\/[\w.-]+|api\/docs(\/[\w./*-]*)?)$/.test(url)
  if (READ_ONLY.includes(verb) && (isFile || OTHER_ROUTES.includes(url))) return true
  const declared = verb === 'HEAD' ? 'GET' : verb
  return documentedCalls.some((row) => row.endsWith(` ${declared} ${url.replace(API_PREFIX, '')}`))
}
