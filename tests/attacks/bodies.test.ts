/** Bodies: media types that might skip the checks, and numbers that are none of anything. */
import { gzipSync } from 'node:zlib'
import { beforeAll, describe } from 'vitest'
import type { Node } from '#tests/fuzz/values.ts'
import { declared } from '#tests/support/declared.ts'
import { type Attack, changing, defend, plant, replacedBy } from './support/attack.ts'
import type { Attempt, Headers } from './support/http.ts'
import { addMember, addOwner, type Owner } from './support/people.ts'
import { placesOf } from './support/places.ts'
import { asJson, by, requestFor } from './support/requests.ts'
import { openWorld } from './support/world.ts'

const world = openWorld()
let owner: Owner
beforeAll(async () => {
  owner = await addOwner(world().shop)
})

const admin = async () => ({
  authorization: (await addMember(world().shop, { admin: true })).token,
})

/** A body that its schema refuses, under names that a check might not know. */
const TYPES: Headers[] = [
  ...['application/json', 'application/json\t', ' application/json', 'application/json;'],
  ...['application/json;charset=utf-8', 'application/json; charset=utf-16', 'APPLICATION/JSON'],
  ...['application/json ;a=b', 'application/json,text/plain', 'application/jsonx', 'application/'],
  ...['application/vnd.api+json', 'text/json', 'text/plain', 'application/x-www-form-urlencoded'],
  ...['multipart/form-data; boundary=attack', 'text/csv', '*/*', 'json', ';', ''],
].map((type) => ({ 'content-type': type }))
const TWICE: Headers = { 'content-type': ['application/json', 'text/plain'] }

const skips: Attack = async function* ({ send }) {
  for (const [name, endpoint] of declared) {
    if (!endpoint.body && !endpoint.upload && !endpoint.raw) continue
    const token = await admin()
    const right = requestFor(endpoint, owner)
    const wrong = JSON.stringify({ page: 0, radio: ['x'], checked: 7, name: 7, phone: 7 })
    const types = [...TYPES, TWICE, {}]
    // in the profile and in what may be empty, only a wrong value is refused
    const bodies = endpoint.upload || endpoint.raw ? [] : types
    for (const type of bodies) {
      const attempt = { ...right, body: wrong, headers: { ...type, ...token } }
      const { status } = await send(attempt)
      if (status < 400 || status >= 500)
        yield `${name} answers ${status} to ${JSON.stringify(type)}`
    }
    const packed = { ...right, body: gzipSync(right.body ?? '') }
    const { status } = await send(by({ 'content-encoding': 'gzip', ...token }, packed))
    if (status !== 415) yield `${name} answers ${status} to a body in gzip`
  }
}

/** Values that are no number of anything. A page may be far, and a width any: what is wide is clamped. */
const NUMBERS = ['-1', '0.001', '1e21', '1e400', '"1"', 'null', 'true', '"NaN"']
const TOLERANT: Record<string, RegExp> = {
  page: /^(1e21|1e400|null)$/,
  w: /./,
  // the bounds of a band of prices are prices of any fraction, and few decimals are fine for a price
  radio: /^0\.001$/,
}

const isNumeric = ({ type, anyOf = [], items }: Node): boolean =>
  [type, items?.type].some((one) => one === 'number' || one === 'integer') ||
  anyOf.some((one) => 'const' in one && typeof one.const === 'number')

const miscounts: Attack = async function* ({ send }) {
  for (const [name, endpoint] of declared) {
    const token = await admin()
    for (const { what, schema, attempt } of placesOf(endpoint, owner)) {
      if (!isNumeric(schema)) continue
      for (const value of NUMBERS) {
        const marked = attempt('"number"')
        const isJson = String(marked.headers?.['content-type']).includes('json')
        const text = value.replaceAll('"', '')
        // in addresses and forms everything is text, so that "1" is 1
        if (!isJson && value === '"1"') continue
        const inBrackets = schema.type === 'array' ? `[${value},${value}]` : value
        const sent = isJson
          ? { ...marked, body: String(marked.body).replace('"\\"number\\""', inBrackets) }
          : attempt(text)
        const { status } = await send(by(token, sent))
        const isTolerated = status < 400 && TOLERANT[what]?.test(value)
        if ((status < 400 && !isTolerated) || status >= 500)
          yield `${what} of ${name} answers ${status} to ${value}`
      }
    }
  }
}

const bodyOf = ({ body }: Attempt) => String(body ?? '')

/** A shop that answers so where `isMet` is true of the request. */
const replacing = (
  finding: RegExp,
  isMet: (attempt: Attempt) => boolean,
  status: number,
  text: string,
) => changing(finding, isMet, replacedBy(status, text))

describe('a body', () => {
  defend('class 21: is checked under every media type', {
    world,
    attack: skips,
    holes: {
      'a tab after the type skips the check': replacing(
        /createCategory.*\\t/,
        ({ headers, path }) =>
          headers?.['content-type'] === 'application/json\t' && path.includes('create-category'),
        201,
        '{}',
      ),
      'compressed bodies are read': replacing(
        /login answers 200 to a body in gzip/,
        ({ headers, path }) => headers?.['content-encoding'] === 'gzip' && path.includes('login'),
        200,
        '{}',
      ),
    },
  })
  defend('class 11: is no number below nothing, of parts or without end', {
    world,
    attack: miscounts,
    holes: {
      'the sign is lost': plant(
        /amount of startPayment answers 200 to -1/,
        (send) => (attempt) =>
          send(
            bodyOf(attempt).includes('"amount":-1,') || /"amount":-1[,}]/.test(bodyOf(attempt))
              ? { ...attempt, ...asJson({ amount: 1250 }), headers: attempt.headers }
              : attempt,
          ),
      ),
      'a quantity of −1 is accepted': replacing(
        /quantity of createProduct answers 201 to -1/,
        (attempt) => /name="quantity"\r\n\r\n-1\r/.test(bodyOf(attempt)),
        201,
        '{}',
      ),
    },
  })
})
