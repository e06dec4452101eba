/** Every call × every place of a value × hostile values. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe } from 'vitest'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { checkOf } from '#app/shared/server/input/validation.ts'
import type { Node } from '#tests/fuzz/values.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { costOf } from '#tests/support/cost.ts'
import { declared, fieldsOf } from '#tests/support/declared.ts'
import { addOrder, LINE } from '#tests/support/orders.ts'
import { yardstick } from '#tests/support/yardstick.ts'
import { type Attack, answering, defend, hearing } from './support/attack.ts'
import { type Attempt, bodyOf, by, type Headers, type Send } from './support/http.ts'
import { addOwner, type Owner, senderOf } from './support/owner.ts'
import { isRead, propertiesOf, requestFor } from './support/requests.ts'
import { openWorld } from './support/world.ts'

const world = openWorld()
let owner: Owner
let canary: Server
let isCalled = false
beforeAll(async () => {
  const { shop } = world()
  owner = await addOwner(shop)
  const lines = [{ ...LINE, description: '🪴'.repeat(1000), quantity: 40 }]
  for (let n = 0; n < 50; n += 1) await addOrder(shop.db, owner.person, { lines })
  canary = createServer((_, response) => {
    isCalled = true
    response.end()
  })
  await new Promise<void>((done) => canary.listen(0, '127.0.0.1', done))
})
afterAll(() => canary.close())

const canaryUrl = () => `http://127.0.0.1:${(canary.address() as AddressInfo).port}/called`

type Place = { field: string; schema: Node; attempt: (value: unknown) => Attempt }

const HEADERS =
  'cookie user-agent referer x-request-id accept accept-language origin x-forwarded-for'.split(' ')

/** Every place of a value in a call, including headers. */
function placesOf(endpoint: Endpoint, its: Owner): Place[] {
  const { params, query, body } = endpoint
  const inFields = [params, query, body].flatMap(propertiesOf).map(([field, schema]) => ({
    field,
    schema,
    attempt: (value: unknown) => requestFor(endpoint, its, { [field]: value }),
  }))
  const inHeaders = (value: unknown) =>
    by(Object.fromEntries(HEADERS.map((name) => [name, String(value)])), requestFor(endpoint, its))
  const schema = { type: 'string', pattern: '^[ -~]*$', maxLength: 400 }
  return [...inFields, { field: 'headers', schema, attempt: inHeaders }]
}

const SQL = [
  "'; select pg_sleep(9); --",
  "$$ || (select row_to_json(u) from users u limit 1) || $$ ') or true or ('' = '",
]

/** The longest texts and lists that a schema accepts. */
function longest(schema: Node): unknown[] {
  const ids = Array.from({ length: schema.maxItems ?? 100 }, () => crypto.randomUUID())
  const length = Math.min(schema.maxLength ?? 400, 20_000)
  const values = [ids, ids.join(), 'cup '.repeat(length).slice(0, length), 'ﬃ'.repeat(length)]
  return values.filter((value) => checkOf(schema)(value) === null)
}

/** The most that a long value may cost: twelve times the fixed work. */
const MAX_MS = 12 * yardstick()

/** The minimum duration of a request: the machine may be busy. */
async function leastCost(work: () => Promise<unknown>) {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < 5 && least > MAX_MS; n += 1)
    least = Math.min(least, (await costOf(work)).allThreads)
  return least
}

/** Password hashing is slow by design, and runs in other threads. */
const isHashing = ({ body }: Endpoint) => fieldsOf(body).some((name) => /password/i.test(name))

/** Values that are not numbers; in URLs and forms all values are text, and "1" would be 1. */
const NUMBERS = [-1, 0.001, 1e21, null, true, 'NaN']
/** Page numbers may be high and widths any; bounds of a price band may be any decimals. */
const TOLERATED: Record<string, unknown[]> = { page: [1e21, null], w: NUMBERS, radio: [0.001] }

const isNumeric = ({ type, anyOf = [], items }: Node): boolean =>
  [type, items?.type].some((one) => one === 'number' || one === 'integer') ||
  anyOf.some((one) => 'const' in one && typeof one.const === 'number')

async function* tried(send: Send, isFast: boolean, { field, schema, attempt }: Place) {
  for (const value of [...SQL, canaryUrl()]) {
    isCalled = false
    const { status, text } = await send(attempt(value))
    if (status >= 500 || /\$argon2|syntax error|SQLSTATE/i.test(text)) yield `answers ${status}`
    if (isCalled) yield 'is fetched'
  }
  for (const value of isFast ? longest(schema) : []) {
    const request = attempt(value)
    const cost = await leastCost(() => send(request))
    if (cost > MAX_MS) yield `costs ${cost} ms`
  }
  for (const number of isNumeric(schema) ? NUMBERS : []) {
    const value = schema.type === 'array' ? [number, number] : number
    const { status } = await send(attempt(value))
    const isRefused = status >= 400 && status < 500
    if (!isRefused && !TOLERATED[field]?.includes(number)) yield `answers ${status} to ${number}`
  }
}

const tries: Attack = async function* ({ shop, send, sought }) {
  const isSought = ([name]: (typeof declared)[number]) => Number(sought?.includes(name) ?? false)
  for (const [name, endpoint] of declared.toSorted((a, b) => isSought(b) - isSought(a))) {
    const its = isRead(endpoint) ? owner : await addOwner(shop)
    const admin = await addPerson(shop.db, { admin: true })
    const { token } = senderOf(endpoint, { owner: its, admin })
    const sendAs = (attempt: Attempt) => send(by({ authorization: token }, attempt))
    for (const place of placesOf(endpoint, its)) {
      for await (const found of tried(sendAs, !isHashing(endpoint), place))
        yield `${place.field} of ${name} ${found}`
    }
  }
}

/** Content types: JSON variants, others, and two at once. */
const TYPES = [
  'application/json',
  'application/json\t',
  ' application/json',
  'application/json; charset=utf-16',
  'APPLICATION/JSON ;a=b',
  'application/json,text/plain',
  'application/vnd.api+json',
  '*/*',
  ['application/json', 'text/plain'],
]

const skips: Attack = async function* ({ shop, send }) {
  for (const [name, endpoint] of declared.filter(([, { body }]) => body)) {
    const { token } = await addPerson(shop.db, { admin: true })
    for (const type of TYPES) {
      const headers: Headers = { 'content-type': type, authorization: token }
      const body = JSON.stringify({ page: 0, radio: ['x'], checked: 7, name: 7, phone: 7 })
      const { status } = await send({ ...requestFor(endpoint, owner), headers, body })
      if (status < 400 || status >= 500) yield `${name} answers ${status} to '${type}'`
    }
  }
}

describe('a value', () => {
  defend('class 1, 11, 16, 23: is no statement, bad number, heavy work or address', world, tries, {
    'a query is put together from text': [
      /q of getAllUsers answers 500/,
      answering(
        ({ path }) => /all-users.*q=%27/.test(path),
        () => ({ status: 500 }),
      ),
    ],
    'an address in a body is fetched': [
      /name of createCategory is fetched/,
      hearing(async (attempt) => {
        const [url] = /http:\/\/127[^"]*/.exec(bodyOf(attempt)) ?? []
        if (url && attempt.path.includes('create-category')) await fetch(url)
        return attempt
      }),
    ],
    'a quantity of −1 is accepted': [
      /quantity of createProduct answers 201 to -1/,
      answering(
        (attempt) => /name="quantity"\r\n\r\n-1\r/.test(bodyOf(attempt)),
        () => ({ status: 201 }),
      ),
    ],
    'a long text costs more': [
      /q of getAllUsers costs/,
      hearing((attempt) => {
        const start = process.cpuUsage()
        const isSlow = attempt.path.includes('/all-users?q=cup')
        while (isSlow && process.cpuUsage(start).user < 1200 * MAX_MS);
        return attempt
      }),
    ],
  })
  defend('class 21: is checked under every media type', world, skips, {
    'a tab after the type skips the check': [
      /createCategory answers 201 to 'application\/json\t'/,
      answering(
        ({ headers }) => headers?.['content-type'] === 'application/json\t',
        () => ({ status: 201 }),
      ),
    ],
  })
})
