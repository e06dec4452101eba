/** A request at any declared call that the call accepts, made from its schemas. */
import { API_PREFIX, type Endpoint } from '#app/shared/contract/endpoint.ts'
import { checkOf } from '#app/shared/server/validation.ts'
import type { Node } from '#tests/fuzz/values.ts'
import { signedPayment } from '#tests/support/payments.ts'
import { paymentOf, report, signatureOf } from '#tests/support/webhook.ts'
import type { Attempt, Headers } from './http.ts'
import { ANSWER, type Owner, PASSWORD } from './people.ts'

/** Values that mean something, by the names of fields. */
export type Known = Record<string, unknown>

/** What fields mean where a request is about this owner and their things. */
export function knownOf({ person, order, cart, category, product, payment, money }: Owner): Known {
  const proof = signedPayment(payment)
  return {
    ...{ userId: person.id, orderId: order.id, email: person.email, slug: product.slug },
    ...{ productId: product.id, categoryId: category.id, category: category.id },
    ...{
      password: PASSWORD,
      currentPassword: PASSWORD,
      answer: ANSWER,
      newPassword: 'another-horse',
    },
    ...{ name: `Name ${crypto.randomUUID()}`, price: 12.5, quantity: 10, amount: 1250, page: 1 },
    ...{ cart, checked: [category.id], radio: [0, 19], keyword: 'cup', q: 'cup', ...proof, money },
  }
}

const TEXTS = ['Text', 'a@shop.example', '2026-11-21', '0197f9a0-0000-7000-8000-000000000000']

function sampleText(schema: Node): unknown {
  const check = checkOf(schema)
  const { minLength = 1 } = schema
  const made = [...TEXTS, 'x'.repeat(minLength)].find((text) => check(text) === null)
  if (made === undefined) throw new Error(`No text is known for ${JSON.stringify(schema)}`)
  return made
}

/** A value that the schema accepts: a known one where there is one. */
function sampleOf(schema: Node, known: Known, name: string): unknown {
  if (name in known && checkOf(schema)(known[name]) === null) return known[name]
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], known, name)
  if (schema.type === 'string') return sampleText(schema)
  if (schema.type === 'object') return objectOf(schema, known)
  if (schema.type === 'array') return []
  return schema.type === 'boolean' ? true : Math.max(schema.minimum ?? 1, 1)
}

export const propertiesOf = (schema: object | undefined): [name: string, schema: Node][] =>
  Object.entries((schema as Node | undefined)?.properties ?? {})

export const objectOf = (schema: object | undefined, known: Known): Known =>
  Object.fromEntries(
    propertiesOf(schema).map(([name, property]) => [name, sampleOf(property, known, name)]),
  )

const BOUNDARY = 'attack'

/** Fields, and a file where there is one, as a form. */
export const formOf = (fields: Known, file?: Buffer | string) => ({
  headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` } as Headers,
  body: Buffer.concat([
    ...Object.entries(fields).map(([name, value]) =>
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      ),
    ),
    ...(file === undefined
      ? []
      : [
          Buffer.from(
            `--${BOUNDARY}\r\nContent-Disposition: form-data; name="photo"; filename="a.php.jpg"\r\n` +
              'Content-Type: image/jpeg\r\n\r\n',
          ),
          Buffer.from(file),
          Buffer.from('\r\n'),
        ]),
    Buffer.from(`--${BOUNDARY}--\r\n`),
  ]),
})

export const asJson = (value: unknown) => ({
  headers: { 'content-type': 'application/json' } as Headers,
  body: JSON.stringify(value),
})

/** A webhook as the provider sends it. */
export function signedReport(event: object) {
  const text = JSON.stringify(event)
  const id = crypto.randomUUID()
  const proof = { 'x-razorpay-signature': signatureOf(text), 'x-razorpay-event-id': id }
  return { headers: { 'content-type': 'application/json', ...proof } as Headers, body: text }
}

const CSV = 'name,description,price,quantity,category\r\nCup,Tea,1,1,Kitchen\r\n'

/** The body of this kind of call, from the fields; without fields there is none. */
export function bodyFrom(endpoint: Endpoint, fields: Known) {
  if (endpoint.multipart) return formOf(fields)
  if (endpoint.upload) return { headers: { 'content-type': 'text/csv' } as Headers, body: CSV }
  if (endpoint.raw) return signedReport(report('payment.captured', paymentOf('order_of_nobody')))
  return endpoint.body ? asJson(fields) : { headers: {} as Headers, body: undefined }
}

/** What `:id` means, by where it stands. */
function idFor({ path }: Endpoint, { category, product, money }: Owner) {
  if (path.startsWith('/category')) return category.id
  return path.startsWith('/payment') ? money : product.id
}

/** The path of a call with its parameters filled in. */
export function pathOf(endpoint: Endpoint, values: Known): string {
  const { path, params } = endpoint
  const filled = objectOf(params, values)
  return API_PREFIX + path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(`${filled[name]}`))
}

/** What this call takes when it is about this owner's things. */
export const knownFor = (endpoint: Endpoint, owner: Owner): Known => ({
  ...knownOf(owner),
  id: idFor(endpoint, owner),
  ...(endpoint.path.includes('/product-category/') && { slug: owner.category.slug }),
})

/** A request at this call that it accepts, about this owner's things. */
export function requestFor(endpoint: Endpoint, owner: Owner, changed: Known = {}): Attempt {
  const known = { ...knownFor(endpoint, owner), ...changed }
  const fields = { ...objectOf(endpoint.body, known), ...changed }
  const needed = (endpoint.query as Node | undefined)?.required ?? []
  const query = Object.entries(objectOf(endpoint.query, known)).filter(
    ([name]) => needed.includes(name) || name in changed,
  )
  const search = new URLSearchParams(query.map(([name, value]) => [name, String(value)]))
  const path = pathOf(endpoint, known) + (search.size > 0 ? `?${search}` : '')
  return { method: endpoint.method, path, ...bodyFrom(endpoint, fields) }
}

/** The same request, sent by whoever these headers say. */
export const by = (headers: Headers, attempt: Attempt): Attempt => ({
  ...attempt,
  headers: { ...attempt.headers, ...headers },
})
