/** Generates requests for a declared call: valid ones, and changed ones. */

import fc, { type Arbitrary } from 'fast-check'
import { type Access, CALLER_KINDS, type CallerKind } from '#app/shared/contract/access.ts'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import { bodyOf, type Sendable } from './bodies.ts'
import { allowedBy, type Known, type Node, oddText } from './values.ts'

/** A request with its caller instead of a token. */
export type Sent = {
  who: CallerKind
  method: Endpoint['method']
  url: string
  headers: Record<string, string>
  payload?: string | Buffer
}

const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

const ODD_PARTS = [
  '%00',
  '%ff',
  '%',
  '%2',
  '%ED%A0%80',
  '%F0%9F',
  '..%2f..%2fetc',
  '%5C',
  '%3B',
  '%2525',
  '__proto__',
  'constructor',
  '{}',
  '*',
  '%20',
  '+',
  '1e12',
  '99999999999999999999',
  '1%2c2',
]

const part = (schema: Node, known: Known, name: string) =>
  fc.oneof(
    { weight: 6, arbitrary: allowedBy(schema, known, name).map((value) => encoded(String(value))) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_PARTS) },
    { weight: 1, arbitrary: oddText.map(encoded) },
  )

const propertiesOf = (schema: Node | undefined) => Object.entries(schema?.properties ?? {})

/** The path with its parameters filled in. */
function pathOf({ path, params }: Endpoint, known: Known): Arbitrary<string> {
  const parts = Object.fromEntries(
    propertiesOf(params).map(([name, schema]) => [name, part(schema, known, name)]),
  )
  return fc
    .record(parts)
    .map((values) => path.replace(/:(\w+)/g, (_, name: string) => values[name] ?? ''))
}

const ODD_QUERIES = ['page=1&page=2', 'page[a]=1', '__proto__=1', 'constructor[a]=1', '&&=&', 'q']

function queryOf({ query }: Endpoint, known: Known): Arbitrary<string> {
  const pairs = propertiesOf(query).map(([name, schema]) =>
    fc.option(part(schema, known, name).map((value) => `${name}=${value}`)),
  )
  const odd = fc.oneof(
    fc.constantFrom(...ODD_QUERIES),
    fc.tuple(oddText, oddText).map(([name, value]) => `${encoded(name)}=${encoded(value)}`),
  )
  return fc
    .tuple(fc.tuple(...pairs), fc.option(odd, { freq: 6 }))
    .map(([declared, other]) => [...declared, other].filter((one) => one !== null).join('&'))
}

const ODD_HEADERS: [name: string, values: string[]][] = [
  ['content-type', ['', ';', 'text/plain', 'application/json; charset=utf-16', 'x/y', 'text/csv']],
  ['content-length', ['0', '-1', 'abc', '5', '99999999999']],
  ['content-encoding', ['gzip', 'br', 'nonsense']],
  ['accept', ['', '*/*', 'image/avif', 'image/webp;q=0', 'text/html', ',,;q=x', 'x'.repeat(5000)]],
  ['accept-encoding', ['gzip', 'br', 'identity;q=0', '*;q=0', 'gzip;q=nan', 'zstd']],
  ['if-none-match', ['*', '""', 'W/"x"', '"'.repeat(100)]],
  ['if-modified-since', ['yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT']],
  ['range', ['bytes=0-1', 'bytes=-1', 'bytes=9-1', 'lines=1']],
  ['x-forwarded-for', ['127.0.0.1', 'nobody', '::ffff:1.2.3.4, 5.6.7.8', '']],
  ['x-forwarded-proto', ['https', 'javascript']],
  ['x-request-id', ['', 'x'.repeat(200), 'a" "b']],
  ['origin', ['null', 'https://evil.example']],
  ['host', ['evil.example', '', '[::1', 'a b']],
  ['cookie', ['auth=1', '=;=;', 'x'.repeat(5000)]],
  ['x-http-method-override', ['DELETE']],
  ['x-razorpay-event-id', ['', 'x'.repeat(2000)]],
  ['authorization', ['', 'Bearer', 'Bearer ', 'Basic YTpi', 'x'.repeat(9000), 'Bearer \xff', '{}']],
]

const oddHeader: Arbitrary<[string, string]> = fc
  .constantFrom(...ODD_HEADERS)
  .chain(([name, values]) => fc.constantFrom(...values).map((value) => [name, value]))

const oddHeaders = fc.oneof(
  { weight: 4, arbitrary: fc.constant<[string, string][]>([]) },
  { weight: 1, arbitrary: fc.array(oddHeader, { maxLength: 3 }) },
)

/** The usual caller of each level. */
const USUAL: Record<Access, CallerKind> = { public: 'guest', user: 'user', admin: 'admin' }

const whoOf = ({ access }: Endpoint): Arbitrary<CallerKind> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(USUAL[access]) },
    { weight: 1, arbitrary: fc.constantFrom(...CALLER_KINDS) },
  )

const headersOf = ({ payload, type, headers }: Sendable): Record<string, string> => ({
  ...(payload !== undefined && { 'content-type': type }),
  ...headers,
})

/** A request of this call. */
export function requestOf(endpoint: Endpoint, known: Known): Arbitrary<Sent> {
  const parts = {
    who: whoOf(endpoint),
    path: pathOf(endpoint, known),
    query: queryOf(endpoint, known),
    body: bodyOf(endpoint, known),
    more: oddHeaders,
  }
  return fc.record(parts).map(({ who, path, query, body, more }) => ({
    who,
    method: endpoint.method,
    url: `${API_PREFIX}${path}${query === '' ? '' : `?${query}`}`,
    headers: { ...headersOf(body), ...Object.fromEntries(more) },
    ...(body.payload !== undefined && { payload: body.payload }),
  }))
}
