/** Other sites and caches: no way there, no request from there, nothing of a header for the next guest. */
import { beforeAll, describe } from 'vitest'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { declared } from '#tests/support/declared.ts'
import { PAGE_ROWS } from './route-table.ts'
import { type Attack, changing, defend, plant } from './support/attack.ts'
import { get, type Headers, type Response, withHeader, withText } from './support/http.ts'
import { addOwner, type Owner } from './support/people.ts'
import { by, requestFor } from './support/requests.ts'
import { addHostile, pagesFor } from './support/stored.ts'
import { openWorld, type World } from './support/world.ts'

const world = openWorld()
let owner: Owner
beforeAll(async () => {
  owner = await addHostile(world(), '=')
})

const EVIL = 'evil.example'
const ELSEWHERE = [
  `//${EVIL}/`,
  `/\\${EVIL}/`,
  `///${EVIL}`,
  `/%5c${EVIL}/`,
  `/%2f%2f${EVIL}/`,
  `/.//${EVIL}/`,
]
const WISHES = [
  `//${EVIL}`,
  `https://${EVIL}`,
  `/\\${EVIL}`,
  `javascript:injected()`,
  `data:text/html,x`,
]
const KEYS = ['from', 'returnTo', 'redirect', 'next', 'url']
const LEADS_AWAY = /(href|action|src)="(javascript:|data:text|https?:\/\/evil|\/\/|\/\\)/i

/** Whether a response sends the visitor to another site, or lets another site read it. */
function* strays(what: string, { status, headers, text }: Response) {
  const { location = '/' } = headers
  if (!/^\/(?![/\\])/.test(location)) yield `${what} sends to ${location}`
  if (String(headers['content-type']).includes('html') && LEADS_AWAY.test(text))
    yield `${what} links elsewhere`
  if (headers['access-control-allow-origin'] !== undefined)
    yield `${what} may be read by other sites`
  if (headers['set-cookie'] !== undefined) yield `${what} sets a cookie`
  if (status >= 500) yield `${what} answers ${status}`
}

const FORGED: Headers = {
  origin: `https://${EVIL}`,
  referer: `https://${EVIL}/`,
  'sec-fetch-site': 'cross-site',
}
const DOCUMENT_TYPES = [
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/plain',
  'text/x-script',
]

const forges: Attack = async function* ({ send }) {
  for (const path of pagesFor(owner).filter((one) => !one.includes('?'))) {
    for (const type of DOCUMENT_TYPES) {
      for (const url of [path, `${path}.data`, `${path}?index`]) {
        const headers = {
          ...FORGED,
          'content-type': type,
          'rsc-action-id': 'x',
          'next-action': 'x',
        }
        const response = await send({ method: 'POST', path: url, headers, body: 'a=b' })
        if (response.status < 400) yield `POST ${url} answers ${response.status}`
        yield* strays(`POST ${url}`, response)
      }
    }
    const query = WISHES.map((wish, n) => `${KEYS[n]}=${encodeURIComponent(wish)}`).join('&')
    yield* strays(`${path} with wishes`, await send(get(`${path}?${query}`, FORGED)))
  }
  // a form to log in at leads on
  for (const wish of WISHES) {
    const query = KEYS.map((key) => `${key}=${encodeURIComponent(wish)}`).join('&')
    yield* strays(`log-in for ${wish}`, await send(get(`/login?${query}`, FORGED)))
  }
  for (const prefix of ELSEWHERE) {
    for (const path of ['', 'login/', 'category/x/', 'none/']) {
      yield* strays(prefix + path, await send(get(prefix + path)))
    }
  }
  for (const [name, endpoint] of declared) {
    const attempt = requestFor(endpoint, owner)
    yield* strays(
      name,
      await send(by({ ...FORGED, cookie: `token=${owner.person.token}` }, attempt)),
    )
    const preflight = { ...FORGED, 'access-control-request-method': endpoint.method }
    const asked = { ...preflight, 'access-control-request-headers': 'authorization,content-type' }
    yield* strays(
      `preflight of ${name}`,
      await send({ method: 'OPTIONS', path: attempt.path, headers: asked }),
    )
  }
}

/** Each header that something between a browser and a page has been known to heed. */
const POISON: Headers = {
  ...{
    host: EVIL,
    'x-forwarded-host': EVIL,
    'x-forwarded-server': EVIL,
    'x-host': EVIL,
    forwarded: `host=${EVIL}`,
  },
  ...{ 'x-forwarded-proto': 'https', 'x-forwarded-port': '1337', 'x-forwarded-prefix': `/${EVIL}` },
  ...{
    'x-forwarded-for': '203.0.113.7',
    'x-original-url': '/api/v1/auth/orders',
    'x-rewrite-url': `/${EVIL}`,
  },
  ...{
    'x-http-method-override': 'POST',
    accept: 'application/json',
    'accept-language': EVIL,
    'accept-charset': 'utf-7',
  },
  ...{
    'user-agent': EVIL,
    referer: `https://${EVIL}/`,
    origin: `https://${EVIL}`,
    cookie: `token=${EVIL}; theme=${EVIL}`,
  },
  ...{
    range: 'bytes=0-1',
    'if-none-match': 'x',
    'x-react-router-spa-mode': 'yes',
    'x-react-router-prerender-data': EVIL,
  },
  ...{
    purpose: 'prefetch',
    'cache-control': 'no-store',
    pragma: 'no-cache',
    'x-request-id': EVIL,
    'save-data': 'on',
  },
  ...{
    authorization: EVIL,
    'accept-encoding': 'br',
    'content-type': `text/${EVIL}`,
    te: 'trailers',
    via: EVIL,
  },
}

const clean = (text: string) => text.replace(/"requestId":"[^"]*"/, '')

async function* poisoned({ shop, send }: World, path: string, headers: Headers) {
  const what = `${path.slice(0, 60)} after ${Object.keys(headers).slice(0, 3)}`
  const attacked = await send(get(path, headers))
  const { 'x-request-id': _, ...seen } = attacked.headers
  if ((clean(attacked.text) + JSON.stringify(seen)).includes(EVIL)) yield `${what} reflects it`
  const read = await send(get(path))
  const made = await shop.app.inject({ url: path, headers: { host: 'localhost' } })
  if (clean(read.text) !== clean(made.payload) || read.status !== made.statusCode)
    yield `${what} is another page`
  if (JSON.stringify(read.headers).includes(EVIL)) yield `${what} keeps a header`
}

const poisons: Attack = async function* (opened) {
  const owner = await addOwner(opened.shop)
  const { authorization: _, ...all } = POISON
  const calls = declared.filter(
    ([, endpoint]) => endpoint.access === 'public' && endpoint.method === 'GET',
  )
  const addresses = [
    ...PAGE_ROWS.map((row) =>
      row.replace(':slug', row.startsWith('/category') ? owner.category.slug : owner.product.slug),
    ),
    ...calls.map(([, endpoint]) => requestFor(endpoint, owner).path),
  ]
  for (const path of addresses.filter((one) => !one.includes('photo')))
    yield* poisoned(opened, path, all)
  for (const [name, value] of Object.entries(POISON)) {
    const word = crypto.randomUUID().slice(0, 8)
    yield* poisoned(opened, `/search?q=${word}`, { [name]: value })
    yield* poisoned(opened, `${API_PREFIX}/product/search/${word}`, { [name]: value })
  }
}

describe('another site', () => {
  defend('class 19: leads to no other site, and takes no request of one', {
    world,
    attack: forges,
    holes: {
      'a page sends anywhere': changing(
        /sends to \/\/evil/,
        '/login?from=%2F%2Fevil',
        withHeader('location', `//${EVIL}`),
      ),
      'other sites may read': changing(
        /updateProfile may be read/,
        '/auth/profile',
        withHeader('access-control-allow-origin', '*'),
      ),
      'a page takes a form': plant(/POST \/login answers 302/, (send) => async (attempt) => {
        const response = await send(attempt)
        return attempt.method === 'POST' && attempt.path === '/login'
          ? { ...response, status: 302 }
          : response
      }),
    },
  })
  defend('class 20: is the same for the next guest, whatever the last one sent', {
    world,
    attack: poisons,
    holes: {
      'a header is kept with a page': plant(/is another page/, (send) => {
        const kept = new Map<string, string>()
        return async (attempt) => {
          const host = attempt.headers?.['x-forwarded-host']
          if (host && !kept.has(attempt.path)) kept.set(attempt.path, String(host))
          const response = await send(attempt)
          const poison = kept.get(attempt.path)
          return poison && !host
            ? withText(response, `${response.text}<base href="//${poison}">`)
            : response
        }
      }),
      'the host is reflected': plant(/reflects it/, (send) => async (attempt) => {
        const response = await send(attempt)
        return withText(response, `${response.text}${attempt.headers?.host ?? ''}`)
      }),
    },
  })
})
