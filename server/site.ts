import { randomBytes } from 'node:crypto'
import { fileURLToPath, pathToFileURL } from 'node:url'
import serveStatic from '@fastify/static'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import type { ShopSettings } from '#app/shared/model/shop-settings.ts'
import { setCacheTags } from '#app/shared/server/cache/cache-tags.ts'
import { asFailure, failureBody, noteCause } from '#app/shared/server/errors.ts'
import { Failure } from '#app/shared/server/failure.ts'
import type { Call } from '#app/shared/web/call.ts'
import type * as Entry from '../app/entry.server.tsx'
import { pageRoutes } from './cache/canonical-url.ts'
import { isForwarded } from './demo/real-shop.ts'
import { extractNonceHashes } from './headers.ts'
import { notePage } from './operation/requests.ts'

const CLIENT = fileURLToPath(new URL('../build/client/', import.meta.url))
const SERVER = fileURLToPath(new URL('../build/server/index.js', import.meta.url))

/** The `Retry-After` of a page that cannot be rendered, as in the API. */
const RETRY_SECONDS: Record<number, number> = { 429: 60, 503: 5 }

/** The tags of the answers used by a page; null when one of them must not be cached. */
type Collected = { tags: Set<string> | null }

/**
 * The call function of a page's loaders. It has no session: a page does not depend on the visitor.
 * Only limits use the visitor's address.
 */
function callOf(request: FastifyRequest, page: Collected, set: typeof Entry): Call {
  const { callForPage } = request.server
  const fail = (error: FastifyError | Failure): never => {
    page.tags = null
    const failure = asFailure(error)
    if (failure.status >= 500) noteCause(request, error)
    throw new set.CallFailure(failure.status, failureBody(failure, request.id))
  }
  return set.callBy(async (endpoint, input) => {
    const { answer, total, tags } = await callForPage(endpoint, input, request.ip).catch(fail)
    page.tags = page.tags && tags ? new Set([...page.tags, ...tags]) : null
    return { answer, total }
  })
}

/**
 * The request of a public page: the path and its canonical parameters. No header of the visitor's
 * reaches the renderer, nor the host, which clients can forge.
 */
function pageRequest({ url }: FastifyRequest, { canonicalUrls }: FastifyInstance): Request {
  const [path = '', ...query] = (canonicalUrls.find(url)?.url ?? url).split('?')
  const address = new URL('http://shop')
  address.pathname = path
  address.search = query.join('?')
  return new Request(address)
}

/** The URL without repeated slashes, to redirect to; null when it has none. */
function plainAddressOf(url: string): string | null {
  const [path = '', ...query] = url.split('?')
  const plain = path.replace(/[/\\]+/g, '/').replace(/(.)\/$/, '$1')
  return plain === path ? null : [plain, ...query].join('?')
}

/** The server build: the build folder, or Vite in development. */
export type LoadBuild = () => Promise<ServerBuild>

export const builtSite: LoadBuild = () => import(pathToFileURL(SERVER).href)

/** Serves the assets of `npm run build`; their names contain content hashes. */
export async function serveAssets(app: FastifyInstance) {
  await app.register(serveStatic, {
    root: CLIENT,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const forever = path.includes('/assets/')
      reply.header(
        'cache-control',
        forever ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      )
    },
  })
}

export type Site = {
  load: LoadBuild
  settings: () => ShopSettings
  /** The Content-Security-Policy of a page with the hashes of its inline scripts. */
  policy: (scriptHashes: string[]) => string
  development?: boolean
}

/** The demo's login is shown on this machine only, because it works nowhere else. */
const settingsFor = ({ raw }: FastifyRequest, settings: ShopSettings): ShopSettings =>
  settings.demoAdmin && isForwarded(raw) ? { ...settings, demoAdmin: null } : settings

/** Creates the renderer of pages; it returns a whole page with its headers. */
async function rendererOf(app: FastifyInstance, { load, settings, policy, development }: Site) {
  // loaded once: otherwise React Router would parse the site map for each page
  const handle = development
    ? createRequestHandler(load, 'development')
    : createRequestHandler(await load(), 'production')
  return async (request: FastifyRequest) => {
    const { module: entry } = (await load()).entry
    const set = entry as unknown as typeof Entry
    const context = new RouterContextProvider()
    const collected: Collected = { tags: new Set() }
    const nonce = randomBytes(16).toString('hex')
    context.set(set.callContext, callOf(request, collected, set))
    context.set(set.shopContext, settingsFor(request, settings()))
    context.set(set.scriptMarkContext, nonce)
    let rendered: string | undefined
    context.set(set.pageReportContext, {
      requestId: request.id,
      matched: (pattern) => notePage(request, pattern),
      rendered: (html) => {
        rendered = html
      },
      failed: (error) => noteCause(request, error),
    })
    const page = await handle(pageRequest(request, app), context)
    const { html, hashes } = extractNonceHashes(rendered ?? (await page.text()), nonce)
    if (collected.tags) setCacheTags(request.raw, collected.tags)
    const headers = {
      ...Object.fromEntries(page.headers),
      'content-security-policy': policy(hashes),
    }
    return { status: page.status, headers, html }
  }
}

/** A refused page is minimal HTML, because it must cost nothing to make. */
function sendRefusal(error: FastifyError | Failure, _request: FastifyRequest, reply: FastifyReply) {
  if (!(error instanceof Failure) || error.code !== 'rate_limited') throw error
  const { status, headers, message } = error
  return reply
    .status(status)
    .headers(headers)
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${status}</title><h1>${status}</h1><p>${message}</p></html>`,
    )
}

/** Renders every URL that is not an API call. */
export async function serveSite(app: FastifyInstance, site: Site) {
  const render = await rendererOf(app, site)
  // in development the parameters of a page may change, so its URL is not reduced
  if (!site.development) app.canonicalUrls.declare(pageRoutes(await site.load()))
  app.route({
    method: 'GET',
    url: '/*',
    schema: { hide: true },
    onRequest: app.limitPages,
    errorHandler: sendRefusal,
    handler: async (request, reply) => {
      const elsewhere = plainAddressOf(request.url)
      if (elsewhere !== null) return reply.redirect(elsewhere, 308)
      const { status, headers, html } = await render(request)
      const retry = RETRY_SECONDS[status]
      if (retry) reply.header('retry-after', retry)
      return reply.status(status).headers(headers).send(html)
    },
  })
}
