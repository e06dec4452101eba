/** Generates field values: by the schema, and hostile ones. */
import fc, { type Arbitrary } from 'fast-check'
import { checkOf } from '#app/shared/server/input/validation.ts'

/** The keywords of JSON Schema that the contracts use. */
export type Node = {
  type?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Node[]
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  maxItems?: number
  maxDecimals?: number
}

/** Known values of this shop, by the names of fields and parameters. */
export type Known = Record<string, unknown[]>

const WORDS = [
  "'; drop table users; --",
  '50%',
  'a_b\\',
  'c++',
  '<script>alert(1)</script>',
  '</title>',
  '\u2028',
  '\u202e',
  'İstanbul',
  'ﬁne',
  '🪴',
  '👩‍👩‍👧',
  'e\u0301',
  '\ufeff',
  '=1+1',
  '../../etc',
  'true',
  'null',
  'NaN',
  '0x10',
  '1e3',
  '{{7*7}}',
  '#{7*7}',
  '%00',
  '\r\nX: y',
  '"quoted"',
]

const words = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 2, arbitrary: fc.constantFrom(...WORDS) },
)

/** Values can be generated from anchored patterns only. */
const candidates = ({ pattern, minLength = 0 }: Node) =>
  pattern?.startsWith('^')
    ? fc.stringMatching(new RegExp(pattern, 'u'))
    : words.map((word) => word.padEnd(minLength, 'x'))

function textOf(schema: Node): Arbitrary<unknown> {
  const check = checkOf(schema)
  return candidates(schema).filter((text) => check(text) === null)
}

function numberOf({ type, minimum = -1e6, maximum = 1e6, maxDecimals }: Node): Arbitrary<unknown> {
  const whole = fc.integer({ min: Math.ceil(minimum), max: Math.min(maximum, 2 ** 31 - 1) })
  if (type === 'integer') return fc.oneof(whole, fc.constantFrom(1, minimum, maximum))
  if (maxDecimals !== undefined) return whole.map((number) => Math.min(number + 0.25, maximum))
  return fc.oneof(whole, fc.double({ min: minimum, max: maximum, noNaN: true }))
}

const objectOf = (schema: Node, known: Known): Arbitrary<unknown> =>
  fc.record(
    Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, property]) => [
        name,
        allowedBy(property, known, name),
      ]),
    ),
    { requiredKeys: schema.required ?? [] },
  )

function bySchema(schema: Node, known: Known, name: string): Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => bySchema(one, known, name)))
  if (schema.type === 'string') return textOf(schema)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'object') return objectOf(schema, known)
  if (schema.type === 'array') {
    const maxLength = Math.min(schema.maxItems ?? 5, 5)
    return fc.array(allowedBy(schema.items ?? {}, known, name), { maxLength })
  }
  return numberOf(schema)
}

/** A valid value; usually one that names an existing object. */
export function allowedBy(schema: Node, known: Known, name: string): Arbitrary<unknown> {
  const check = checkOf(schema)
  const there = (known[name] ?? []).filter((value) => check(value) === null)
  const made = bySchema(schema, known, name)
  if (there.length === 0) return made
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...there) },
    { weight: 1, arbitrary: made },
  )
}

const SMALL = [
  'null',
  '7',
  '-1',
  '0',
  '-0',
  '1.5',
  '0.001',
  '1e-7',
  '1e308',
  '1e400',
  '-1e400',
  'true',
  '9007199254740993',
  '2147483648',
  '"1"',
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '{}',
  '[]',
  '[[]]',
  '[null]',
  '[{}]',
  '[1,2,3]',
  '{"length":9}',
  '{"toString":1}',
  '{"$ne":null}',
  '{"a":{"__proto__":{"b":1}}}',
  '{"constructor":1}',
]

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const LARGE = [
  `"${'x'.repeat(300_000)}"`,
  `"${'🪴'.repeat(20_000)}"`,
  deep(20_000),
  `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  `[${'0,'.repeat(50_000)}0]`,
]

/** JSON that no field expects, as text. */
export const oddJson: Arbitrary<string> = fc.oneof(
  { weight: 40, arbitrary: fc.constantFrom(...SMALL) },
  { weight: 10, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 10, arbitrary: words.map((word) => JSON.stringify(word)) },
  { weight: 1, arbitrary: fc.constantFrom(...LARGE) },
)

/** Text for places without a schema: URLs, headers, forms and files. */
export const oddText: Arbitrary<string> = fc.oneof(
  { weight: 20, arbitrary: words },
  {
    weight: 10,
    arbitrary: fc.constantFrom('', ' ', '-1', '0', '1.5', '1e9', '\0', 'x'.repeat(300)),
  },
  { weight: 1, arbitrary: fc.constantFrom('x'.repeat(5000), '🪴'.repeat(5000)) },
)
