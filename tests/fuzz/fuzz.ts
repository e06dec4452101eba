/** Fuzzing: sends generated requests to every declared call, and checks the answers. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openSession } from '#app/accounts/server/sessions.ts'
import { isOpen, refusalOf } from '#app/shared/contract/access.ts'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import type { People } from '#tests/support/accounts.ts'
import { contradictionsIn } from '#tests/support/consistency.ts'
import { declared, fieldsOf } from '#tests/support/declared.ts'
import { type TestShop, testShop } from '#tests/support/shop.ts'
import { yardstick } from '#tests/support/yardstick.ts'
import { addFixtures, knownBy } from './fixtures.ts'
import { requestOf, type Sent } from './requests.ts'
import { expectDeclared } from './verdict.ts'

/** FUZZ_REQUESTS=20000 tries more requests; FUZZ_SEED repeats a failure. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS || 5_000)
const SEED = process.env.FUZZ_SEED ? { seed: Number(process.env.FUZZ_SEED) } : {}
/** Calls that hash passwords are slow, so they get a fifth of the requests. */
const isSlow = ({ body }: Endpoint) => fieldsOf(body).some((name) => /password/i.test(name))
const SHARE = 5
const shareOf = (endpoint: Endpoint) => (isSlow(endpoint) ? 1 : SHARE)
const SHARES = declared.reduce((sum, [, endpoint]) => sum + shareOf(endpoint), 0)
/** The number of requests of this call; together at least as many as configured. */
const countFor = (endpoint: Endpoint) => Math.ceil((REQUESTS * shareOf(endpoint)) / SHARES)
/** The most that a request takes, as a multiple of fixed work. */
const MAX_COST = 250
const yardstickOfRun = yardstick()
/** The limit of all requests on a busy machine. */
const PATIENCE_MS = 120_000 + REQUESTS * 10

const tokenOf = ({ who }: Sent, callers: People) => (who === 'guest' ? '' : callers[who].token)

async function send(shop: TestShop, sent: Sent, callers: People) {
  const { who: _, headers, ...request } = sent
  const started = performance.now()
  const reply = await shop.app.inject({
    ...request,
    headers: { authorization: tokenOf(sent, callers), ...headers },
  })
  return { reply, ms: performance.now() - started }
}

/** The session may have been ended by a request: log in again. */
async function signInAgain({ db }: TestShop, { who }: Sent, callers: People) {
  if (who === 'guest') return
  const person = callers[who]
  const user = await db
    .selectFrom('users')
    .where('id', '=', person.id)
    .selectAll()
    .executeTakeFirstOrThrow()
  person.token = await openSession(db, user)
}

async function tryOne(shop: TestShop, endpoint: Endpoint, sent: Sent, callers: People) {
  const { reply, ms } = await send(shop, sent, callers)
  expectDeclared(endpoint, reply)
  if (refusalOf(endpoint.access, sent.who)) expect(reply.statusCode).toBeGreaterThan(399)
  // the machine may have been busy: only a second slow answer counts
  const most = MAX_COST * yardstickOfRun
  if (ms > most) expect((await send(shop, sent, callers)).ms).toBeLessThan(most)
  if (reply.statusCode === 401) await signInAgain(shop, sent, callers)
  return reply.statusCode
}

const isOfRoles = ({ path }: Endpoint) => path.startsWith('/auth/user-role')

/** The ids of the admins. */
async function adminsOf({ db }: TestShop) {
  const admins = await db.selectFrom('users').where('is_admin', '=', true).select('id').execute()
  return admins.map(({ id }) => id).sort()
}

/** From this number of requests on, all kinds of answers are expected. */
const ENOUGH = 100

/** Fails when a call refused everything, or nothing. */
function expectBoth({ status, access, params, query, body }: Endpoint, statuses: Set<number>) {
  expect([...statuses], 'a success').toContain(status ?? 200)
  const canRefuse = !isOpen(access) || params || query || body
  if (canRefuse) expect(Math.max(...statuses), 'a refusal').toBeGreaterThan(399)
}

/** A test for each of these calls, on one shop. */
export function fuzz(calls: [name: string, endpoint: Endpoint][]) {
  const shop = testShop()
  describe.each(calls)('%s', (_name, endpoint) => {
    const count = countFor(endpoint)
    it(`stands ${count} requests`, { timeout: PATIENCE_MS }, async () => {
      const fixtures = await addFixtures(shop)
      const { callers } = fixtures
      const known = knownBy(endpoint, fixtures)
      const admins = await adminsOf(shop)
      const statuses = new Set<number>()
      const property = fc.asyncProperty(requestOf(endpoint, known), async (sent) => {
        statuses.add(await tryOne(shop, endpoint, sent, callers))
      })
      await fc.assert(property, { numRuns: count, ...SEED })
      if (count >= ENOUGH) expectBoth(endpoint, statuses)
      expect(await contradictionsIn(shop.db)).toEqual({})
      const left = await adminsOf(shop)
      expect(left).toContain(callers.admin.id)
      expect(left).not.toContain(callers.user.id)
      if (!isOfRoles(endpoint)) expect(left).toEqual(admins)
    })
  })
}
