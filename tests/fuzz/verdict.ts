/** Checks of every answer: its declared schema. */
import { Ajv, type ValidateFunction } from 'ajv'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { Quote } from '#app/checkout/contract.ts'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { FAILURES, FailureBody } from '#app/shared/contract/failure.ts'
import type { Node } from './values.ts'

/** The schema without additional properties. */
function closed(schema: Node): Node & { additionalProperties?: false } {
  const { properties, items, anyOf } = schema
  return {
    ...schema,
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
    ...(properties && {
      additionalProperties: false,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, closed(property)]),
      ),
    }),
  }
}

const ajv = new Ajv({ strict: false, validateFormats: false })
const compiled = new WeakMap<object, ValidateFunction>()

/** The parts of a value that the schema does not describe. */
function strangers(schema: object, value: unknown): unknown[] {
  const validate = compiled.get(schema) ?? ajv.compile(closed(schema))
  compiled.set(schema, validate)
  return validate(value) ? [] : (validate.errors ?? [])
}

const typeOf = ({ headers }: LightMyRequestResponse) => String(headers['content-type'])

function expectFailure(reply: LightMyRequestResponse) {
  const { quote, ...body } = reply.json()
  expect(strangers(FailureBody, body)).toEqual([])
  if (quote !== undefined) expect(strangers(Quote, quote)).toEqual([])
  expect(Object.entries(FAILURES)).toContainEqual([body.code, reply.statusCode])
  expect(body.requestId).toBe(reply.headers['x-request-id'])
  expect(body.message).toMatch(/\S/)
  expect(reply.body).not.toMatch(/\n\s+at |node_modules|FST_|SQLSTATE/)
}

/** JSON lines, the last one being the outcome. */
function expectLines(reply: LightMyRequestResponse) {
  const steps = reply.body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const last = steps.at(-1)
  expect(['done', 'failed']).toContain(last.step)
  expect(last.code).not.toBe('internal')
}

/** Checks of answers without a schema, by kind. */
function expectBytes(reply: LightMyRequestResponse) {
  const type = typeOf(reply)
  expect(type).toMatch(/^(image\/(avif|webp|jpeg)|text\/csv|application\/(x-ndjson|json))\b/)
  expect(reply.headers['x-content-type-options']).toBe('nosniff')
  if (type.startsWith('application/x-ndjson')) expectLines(reply)
  // compressed answers are checked after decompression
  const isPacked = reply.headers['content-encoding'] !== undefined
  if (type.startsWith('application/json') && !isPacked) expect(() => reply.json()).not.toThrow()
}

const isBinary = (schema: object) => 'format' in schema && schema.format === 'binary'

function expectSuccess({ answer, status }: Endpoint, reply: LightMyRequestResponse) {
  if (reply.statusCode === 304) return expect(reply.body).toBe('')
  expect(reply.statusCode).toBe(status ?? 200)
  if (isBinary(answer)) return expectBytes(reply)
  // compressed answers are checked after decompression
  if (reply.headers['content-encoding']) return
  expect(typeOf(reply)).toMatch(/^application\/json\b/)
  expect(strangers(answer, reply.json())).toEqual([])
}

/** Throws when an answer does not conform to the call's contract. */
export function expectDeclared(endpoint: Endpoint, reply: LightMyRequestResponse) {
  const { statusCode } = reply
  if (statusCode === 503) expect(reply.headers['retry-after']).toMatch(/^\d+$/)
  else expect(statusCode, reply.body.slice(0, 300)).toBeLessThan(500)
  if (statusCode < 400) expectSuccess(endpoint, reply)
  else if (!reply.headers['content-encoding']) expectFailure(reply)
}
