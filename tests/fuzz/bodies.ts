/** Generates request bodies: JSON, forms with files, CSV, and webhooks. */
import fc, { type Arbitrary } from 'fast-check'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { signatureOf } from '#tests/support/webhook.ts'
import { allowedBy, type Known, type Node, oddJson, oddText } from './values.ts'

export type Sendable = {
  type: string
  payload?: string | Buffer
  headers?: Record<string, string>
}

/** Names of columns that clients must not set, and of Object's prototype. */
const FOREIGN = [
  'role',
  'is_admin',
  'isAdmin',
  'admin',
  '_id',
  'id',
  'user_id',
  'userId',
  'email',
  'token',
  'password_hash',
  'total',
  'price',
  'status',
  'state',
  'success',
  'caller',
  'createdAt',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  '',
]

type Field = [name: string, text: string]
const inJson = (fields: Field[]) =>
  `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`

const json = (schema: Node, known: Known, name: string) =>
  allowedBy(schema, known, name).map((value) => JSON.stringify(value) ?? 'null')

/** An object with `field` applied to every field; null omits it. */
const fieldsOf = (
  schema: Node,
  field: (schema: Node, name: string, isRequired: boolean) => Arbitrary<string | null>,
): Arbitrary<Field[]> =>
  fc
    .tuple(
      ...Object.entries(schema.properties ?? {}).map(([name, property]) =>
        field(property, name, schema.required?.includes(name) ?? false).map(
          (text): [string, string | null] => [name, text],
        ),
      ),
    )
    .map((fields) => fields.filter((one): one is Field => one[1] !== null))

const foreign = (value: Arbitrary<string>) =>
  fc.array(fc.tuple(fc.oneof(fc.constantFrom(...FOREIGN), fc.string()), value), { maxLength: 3 })

/** An optional field: the more are sent, the likelier one of them names what is gone. */
const sometimes = (value: Arbitrary<string>) => fc.option(value, { freq: 2 })

const right = (schema: Node, known: Known) =>
  fieldsOf(schema, (property, name, isRequired) => {
    const value = json(property, known, name)
    return isRequired ? value : sometimes(value)
  })

const changed = (schema: Node, known: Known) =>
  fc
    .tuple(
      fieldsOf(schema, (property, name) =>
        fc.oneof(
          { weight: 5, arbitrary: json(property, known, name) },
          { weight: 2, arbitrary: oddJson },
          { weight: 1, arbitrary: fc.constant(null) },
        ),
      ),
      foreign(oddJson),
    )
    .map((fields) => fields.flat())

const cut = (text: string) => text.slice(0, Math.ceil(text.length / 2))

function jsonOf(schema: Node, known: Known): Arbitrary<Sendable> {
  const whole = right(schema, known).map(inJson)
  return fc
    .oneof(
      { weight: 8, arbitrary: whole },
      {
        weight: 4,
        arbitrary: fc
          .tuple(right(schema, known), foreign(oddJson))
          .map(([a, b]) => inJson([...a, ...b])),
      },
      { weight: 10, arbitrary: changed(schema, known).map(inJson) },
      { weight: 1, arbitrary: oddJson },
      { weight: 1, arbitrary: whole.map(cut) },
      { weight: 1, arbitrary: oddText },
    )
    .map((payload) => ({ type: 'application/json', payload }))
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const FILES: (Buffer | string)[] = [
  PIXEL,
  PIXEL.subarray(0, 40),
  '',
  'text',
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'GIF89a',
  '\xff\xd8\xff\xe0',
  'RIFF\0\0\0\0WEBP',
  '%PDF-1.7',
  'PK\x03\x04',
  'x'.repeat(50_000),
]
const NAMES = [
  'photo.png',
  '',
  '../../etc/passwd',
  'a"b',
  'a\0b',
  'x'.repeat(300),
  'ф.jpg',
  'C:\\x',
]

type Part = { name: string; value: string | Buffer; file?: string }

const BOUNDARY = 'x-boundary'
const quoted = (name: string) => name.replace(/[\r\n"]/g, '')

const inForm = (parts: Part[], end: string) =>
  Buffer.concat([
    ...parts.flatMap(({ name, value, file }) => [
      Buffer.from(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${quoted(name)}"` +
          (file === undefined ? '' : `; filename="${file}"\r\nContent-Type: image/png`) +
          '\r\n\r\n',
      ),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ])

const fileOf = (name: Arbitrary<string>): Arbitrary<Part> =>
  fc.record({ name, value: fc.constantFrom(...FILES), file: fc.constantFrom(...NAMES) })

function formOf(schema: Node, known: Known): Arbitrary<Sendable> {
  // an object is sent as JSON
  const text = (value: Arbitrary<unknown>) =>
    value.map((one) => (typeof one === 'object' ? JSON.stringify(one) : String(one)))
  const rightly = fieldsOf(schema, (property, name, isRequired) => {
    const value = text(allowedBy(property, known, name))
    return isRequired ? value : sometimes(value)
  })
  const oddly = fieldsOf(schema, (property, name) =>
    fc.oneof(
      { weight: 5, arbitrary: text(allowedBy(property, known, name)) },
      { weight: 2, arbitrary: oddText },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
  )
  const fields = fc
    .oneof(
      { weight: 3, arbitrary: rightly },
      fc.tuple(oddly, foreign(oddText)).map((both) => both.flat()),
    )
    .map((all) => all.map(([name, value]): Part => ({ name, value })))
  const files = fc.oneof(
    { weight: 6, arbitrary: fc.constant<Part[]>([]) },
    { weight: 2, arbitrary: fc.tuple(fileOf(fc.constant('photo'))) },
    { weight: 1, arbitrary: fc.array(fileOf(fc.constantFrom('photo', 'name', '__proto__', ''))) },
  )
  const end = fc.oneof(
    { weight: 12, arbitrary: fc.constant(`--${BOUNDARY}--\r\n`) },
    { weight: 1, arbitrary: fc.constantFrom('', `--${BOUNDARY}`, '--other--', '\0') },
  )
  const type = fc.oneof(
    { weight: 20, arbitrary: fc.constant(`multipart/form-data; boundary=${BOUNDARY}`) },
    { weight: 1, arbitrary: fc.constantFrom('multipart/form-data', 'multipart/mixed; boundary=a') },
  )
  return fc.record({ fields, files, end, type }).map((form) => ({
    type: form.type,
    payload: inForm([...form.fields, ...form.files], form.end),
  }))
}

const COLUMNS = ['slug', 'name', 'description', 'price', 'quantity', 'category', 'shipping']
const CELLS = [
  '1',
  '12.50',
  '-1',
  'yes',
  'no',
  '',
  'Kitchen',
  '"a,b"',
  '"',
  '"a""b"',
  '=1+1',
  '1e9',
]

const csv: Arbitrary<Sendable> = fc
  .record({
    header: fc.oneof(
      fc.constant(COLUMNS),
      fc.array(fc.oneof(fc.constantFrom(...COLUMNS), oddText)),
    ),
    rows: fc.array(fc.array(fc.oneof(fc.constantFrom(...CELLS), oddText), { maxLength: 9 }), {
      maxLength: 6,
    }),
    separator: fc.constantFrom(',', ',', ';', '\t'),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    mark: fc.constantFrom('', '\ufeff'),
  })
  .map(({ header, rows, separator, end, mark }) => ({
    type: 'text/csv',
    payload: mark + [header, ...rows].map((cells) => cells.join(separator)).join(end),
  }))

const EVENTS = ['payment.captured', 'payment.failed', 'refund.processed', 'order.paid', 'x', '']
const entity = (known: Known) =>
  fc.record(
    {
      id: fc.constantFrom('"pay_1"', '"pay_2"', '7'),
      order_id: fc.oneof(json({ type: 'string' }, known, 'razorpay_order_id'), oddJson),
      amount: fc.oneof(fc.constant('1250'), oddJson),
      currency: fc.oneof(fc.constant('"INR"'), oddJson),
      status: fc.oneof(fc.constantFrom('"captured"', '"failed"'), oddJson),
      payment_id: fc.oneof(fc.constant('"pay_1"'), oddJson),
    },
    { requiredKeys: [] },
  )

/** Webhooks, signed or not. */
function reportOf(known: Known): Arbitrary<Sendable> {
  const one = entity(known).map((fields) => inJson(Object.entries(fields)))
  const report = fc
    .record({
      event: fc.constantFrom(...EVENTS),
      payment: fc.oneof(one, oddJson),
      refund: fc.oneof(one, oddJson),
    })
    .map(
      ({ event, payment, refund }) =>
        `{"entity":"event","event":"${event}","payload":{"payment":{"entity":${payment}},"refund":{"entity":${refund}}}}`,
    )
  const text = fc.oneof(
    { weight: 6, arbitrary: report },
    { weight: 1, arbitrary: oddJson },
    oddText,
  )
  const sign = fc.oneof(
    fc.constant(signatureOf),
    fc.constantFrom(
      () => 'forged',
      () => '',
    ),
  )
  return fc.record({ text, sign, id: fc.uuid() }).map(({ text: payload, sign, id }) => ({
    type: 'application/json',
    payload,
    headers: { 'x-razorpay-signature': sign(payload), 'x-razorpay-event-id': id },
  }))
}

/** A body for this call: of its kind, valid or invalid. */
export function bodyOf(
  { body, multipart, upload, raw }: Endpoint,
  known: Known,
): Arbitrary<Sendable> {
  if (upload) return csv
  if (raw) return reportOf(known)
  const none = fc.constant<Sendable>({ type: '' })
  const stray = oddJson.map((payload) => ({ type: 'application/json', payload }))
  if (!body) return fc.oneof({ weight: 15, arbitrary: none }, { weight: 1, arbitrary: stray })
  const usual = multipart ? formOf(body, known) : jsonOf(body, known)
  return fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: none }, stray)
}
