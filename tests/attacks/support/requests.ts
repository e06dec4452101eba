/** Valid requests for every declared call, generated from its schemas. */
import { DEFAULTS } from '#app/settings/server/defaults.ts'
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import { checkOf } from '#app/shared/server/input/validation.ts'
import type { Node } from '#tests/fuzz/values.ts'
import { PASSWORD } from '#tests/support/accounts.ts'
import { signedPayment } from '#tests/support/payments.ts'
import { paymentOf, report, signatureOf } from '#tests/support/webhook.ts'
import { type Attempt, asJson, type Headers } from './http.ts'
import type { Owner } from './owner.ts'

export const isRead = ({ method }: Endpoint) => method === 'GET'

/** Known values, by field name. */
export type Known = Record<string, unknown>

/** Known values for requests about this owner and their objects. */
function knownFor({ path }: Endpoint, owner: Owner): Known {
  const { person, order, cart, category, product, payment, money } = owner
  const ids = path.startsWith('/category') ? category.id : product.id
  return {
    userId: person.id,
    orderId: order.id,
    productId: product.id,
    categoryId: category.id,
    id: path.startsWith('/payment') ? money : ids,
    slug: path.includes('/product-category/') ? category.slug : product.slug,
    category: category.id,
    checked: [category.id],
    radio: [0, 19],
    email: person.email,
    password: PASSWORD,
    currentPassword: PASSWORD,
    newPassword: PASSWORD,
    answer: 'cricket',
    name: `Name ${crypto.randomUUID()}`,
    price: 12.5,
    quantity: 10,
    amount: 1250,
    cart,
    country: 'IN',
    // Standard, which the calls of taxes write as null
    taxClass: path.startsWith('/tax') ? null : '',
    shippingClass: null,
    settings: DEFAULTS,
    revision: 0,
    ...signedPayment(payment),
  }
}

const TEXTS = ['Text', 'a@shop.example', '2026-11-21', '0197f9a0-0000-7000-8000-000000000000']

/** A value that the schema accepts: a known one if there is one. */
function sampleOf(schema: Node, known: Known, name: string): unknown {
  const isFit = (value: unknown) => checkOf(schema)(value) === null
  if (name in known && isFit(known[name])) return known[name]
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], known, name)
  if (schema.type === 'string') return TEXTS.find(isFit)
  if (schema.type === 'object') return objectOf(schema, known)
  if (schema.type === 'array') return []
  return schema.type === 'boolean' ? true : Math.max(schema.minimum ?? 1, 1)
}

export const propertiesOf = (schema: object | undefined): [name: string, schema: Node][] =>
  Object.entries((schema as Node | undefined)?.properties ?? {})

const objectOf = (schema: object | undefined, known: Known): Known =>
  Object.fromEntries(
    propertiesOf(schema).map(([name, property]) => [name, sampleOf(property, known, name)]),
  )

/** A form of these fields, with a file where there is one. */
export function formOf(fields: Known, file?: Buffer) {
  const head = (rest: string) => `--attack\r\nContent-Disposition: form-data; ${rest}\r\n\r\n`
  const all = Object.entries(fields).map(([name, value]) => `${head(`name="${name}"`)}${value}\r\n`)
  const photo = head('name="photo"; filename="a.php.jpg"\r\nContent-Type: image/jpeg')
  const parts = file ? [...all, photo, file, '\r\n'] : all
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=attack' } as Headers,
    body: Buffer.concat([...parts, '--attack--\r\n'].map((part) => Buffer.from(part))),
  }
}

/** A webhook of the provider. */
export function signedReport(event: object) {
  const { headers, body } = asJson(event)
  const proof = { 'x-razorpay-signature': signatureOf(body) }
  return { headers: { ...headers, ...proof, 'x-razorpay-event-id': crypto.randomUUID() }, body }
}

const CSV = 'name,description,price,quantity,category\r\nCup,Tea,1,1,Kitchen\r\n'

/** The body of a call from its fields; undefined without fields. */
function bodyFrom(endpoint: Endpoint, fields: Known, file?: Buffer) {
  if (endpoint.multipart) return formOf(fields, file)
  if (endpoint.upload) return { headers: { 'content-type': 'text/csv' }, body: CSV }
  if (endpoint.raw) return signedReport(report('payment.captured', paymentOf('order_of_nobody')))
  return endpoint.body ? asJson(fields) : {}
}

/** A valid request of a call about this owner's objects; undefined fields are omitted. */
export function requestFor(
  endpoint: Endpoint,
  owner: Owner,
  changed: Known = {},
  file?: Buffer,
): Attempt {
  const { method, params, query, body } = endpoint
  const known = { ...knownFor(endpoint, owner), ...changed }
  const filled = { ...objectOf(params, known), ...changed }
  const path = endpoint.path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(`${filled[name]}`))
  const needed = (query as Node | undefined)?.required ?? []
  const search = new URLSearchParams(
    Object.entries(objectOf(query, known))
      .filter(([name]) => needed.includes(name) || name in changed)
      .map(([name, value]) => [name, String(name in changed ? changed[name] : value)]),
  )
  const fields = Object.entries({ ...objectOf(body, known), ...changed })
  const present = Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  const address = `${API_PREFIX}${path}${search.size > 0 ? `?${search}` : ''}`
  return { method, path: address, ...bodyFrom(endpoint, present, file) }
}
