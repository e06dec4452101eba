/** One request, much work: each call with the longest and deepest that it takes. */
import { beforeAll, describe } from 'vitest'
import { checkOf } from '#app/shared/server/validation.ts'
import type { Node } from '#tests/fuzz/values.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { declared, fieldsOf } from '#tests/support/declared.ts'
import { addOrder, LINE } from '#tests/support/orders.ts'
import { type Attack, defend } from './support/attack.ts'
import { addMember, addOwner, type Owner } from './support/people.ts'
import { by, type Known, propertiesOf, requestFor } from './support/requests.ts'
import { openWorld } from './support/world.ts'

const world = openWorld()

const MOST_MS = 100
const MOST_BYTES = 2_000_000
/** The machine may have been busy: what a request costs at least counts. */
const TRIES = 5

let owner: Owner
beforeAll(async () => {
  const { shop } = world()
  const description = '🪴'.repeat(1000)
  owner = await addOwner(shop)
  for (let n = 0; n < 40; n += 1) {
    const category = n % 4 === 0 ? await addCategory(shop.db, `Shelf ${n}`) : owner.category
    await addProduct(shop.db, { category, name: `Clay cup ${n}`, description })
  }
  const lines = [{ ...LINE, description, quantity: 40 }]
  for (let n = 0; n < 50; n += 1) await addOrder(shop.db, owner.person, { lines })
})

const id = () => crypto.randomUUID()

/** Texts that make work: one word again and again, and letters that become many. */
const longTexts = (length: number) => ['cup '.repeat(length).slice(0, length), 'ﬃ'.repeat(length)]

/** The longest values that a schema takes. */
function longest(schema: Node, name: string): unknown[] {
  const isFit = (value: unknown) => checkOf(schema)(value) === null
  if (name === 'category' || name === 'slug')
    return [Array.from({ length: 100 }, id).join(), 'x'.repeat(400)].filter(isFit)
  if (schema.type === 'array')
    return [Array.from({ length: schema.maxItems ?? 0 }, id)].filter(isFit)
  if (schema.type === 'string')
    return longTexts(Math.min(schema.maxLength ?? 1, 20_000)).filter(isFit)
  return name === 'page' ? [1e9].filter(isFit) : []
}

/** Each call as it is, and with each of its fields as long as it may be. */
function heaviest(endpoint: (typeof declared)[number][1]): Known[] {
  const { params, query, body } = endpoint
  const fields = [params, query, body].flatMap(propertiesOf)
  // who a request is about has to stay
  const free = fields.filter(
    ([name]) => !['email', 'password', 'answer', 'currentPassword'].includes(name),
  )
  return [
    {},
    ...free.flatMap(([name, schema]) => longest(schema, name).map((value) => ({ [name]: value }))),
  ]
}

/** A password is hashed slowly on purpose, and in threads of its own. */
const hashes = (endpoint: (typeof declared)[number][1]) =>
  fieldsOf(endpoint.body).some((name) => /password/i.test(name))

async function leastCost(work: () => Promise<unknown>) {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES && least > MOST_MS; n += 1) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

const works: Attack = async function* ({ shop, send }) {
  for (const [name, endpoint] of declared.filter(([, one]) => !hashes(one))) {
    for (const changed of heaviest(endpoint)) {
      const isOwn = endpoint.access === 'user' && !/logout|close/i.test(name)
      const caller = isOwn ? owner.person : await addMember(shop, { admin: true })
      const about = endpoint.method === 'DELETE' ? await addOwner(shop) : owner
      const attempt = by({ authorization: caller.token }, requestFor(endpoint, about, changed))
      let bytes = 0
      const cost = await leastCost(async () => {
        bytes = (await send(attempt)).bytes.length
      })
      const what = `${name} with ${Object.keys(changed).join() || 'nothing'} long`
      if (cost > MOST_MS) yield `${what} costs ${cost.toFixed(0)} ms`
      if (bytes > MOST_BYTES && !name.startsWith('export')) yield `${what} answers ${bytes} bytes`
    }
  }
}

const spin = (milliseconds: number) => {
  const start = process.cpuUsage()
  while (process.cpuUsage(start).user < milliseconds * 1000);
}

describe('a request', () => {
  defend('class 16: costs little, however long it is', {
    world,
    attack: works,
    holes: {
      'a long text costs more': {
        finding: /getAllUsers with q long costs/,
        plant: (send) => async (attempt) => {
          if (attempt.path.includes('/all-users') && attempt.path.length > 2000) spin(120)
          return send(attempt)
        },
      },
      'a list has no end': {
        finding: /getAllOrders .* answers/,
        plant: (send) => async (attempt) => {
          const response = await send(attempt)
          const bytes = Buffer.alloc(MOST_BYTES + 1)
          return attempt.path.includes('/all-orders') ? { ...response, bytes } : response
        },
      },
    },
  })
})
