import { beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryCounters } from '#app/shared/server/limits/counters.ts'
import { freezeClock } from '#tests/support/frozen-clock.ts'
import { testShop } from '#tests/support/shop.ts'
import { type AttemptStorage, withAttemptLimit } from './attempts.ts'
import { openAccount } from './service.ts'

const shop = testShop({ RATE_LIMIT: 'on' })

freezeClock()

const pass = (seconds: number) => vi.advanceTimersByTime(seconds * 1000)

let people = 0
/** The e-mail of an account whose password is `a long secret` and whose answer is `Chess`. */
async function anAccount({ admin = false } = {}) {
  const email = `meera-${++people}@example.com`
  const facts = { name: 'Meera', phone: '555 0102', address: '3 Market Lane', answer: 'Chess' }
  await openAccount(shop.db, { ...facts, email, password: 'a long secret' }, { admin })
  return email
}
let addresses = 0
const anAddress = () => `203.0.${++addresses >> 8}.${addresses & 255}`

const login = (email: string, from: string, password = 'a long secret') =>
  shop.post('/auth/login', { body: { email, password }, from })
const guess = (email: string, from: string) => login(email, from, 'not the secret')
const reset = (email: string, from: string, answer = 'Chess') =>
  shop.post('/auth/forgot-password', {
    body: { email, answer, newPassword: 'a long secret' },
    from,
  })

async function guesses(times: number, email: string, from: string) {
  const statuses = []
  for (let n = 0; n < times; n++) statuses.push((await guess(email, from)).status)
  return statuses
}

describe('after five wrong passwords', () => {
  it('an address waits, twice as long each time, a minute at most', async () => {
    const email = await anAccount()
    const from = anAddress()
    expect(await guesses(5, email, from)).toEqual([401, 401, 401, 401, 401])
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const refused = await guess(email, from)
      expect(refused.status).toBe(429)
      expect(refused.headers['retry-after']).toBe(String(seconds))
      expect(refused.body.message).toMatch(/^Too many attempts\. Try again in \d+ /)
      pass(seconds)
      expect((await guess(email, from)).status).toBe(401)
    }
  })

  it('not even the right one is taken before that time', async () => {
    const email = await anAccount()
    const from = anAddress()
    await guesses(5, email, from)
    expect((await login(email, from)).status).toBe(429)
    pass(1)
    expect((await login(email, from)).status).toBe(200)
    expect(await guesses(4, email, from)).toEqual([401, 401, 401, 401])
  })

  it('every spelling of the e-mail waits', async () => {
    const email = await anAccount()
    const from = anAddress()
    await guesses(5, email, from)
    expect((await guess(` ${email.toUpperCase()} `, from)).status).toBe(429)
  })

  it('the owner is let in from any other address', async () => {
    const email = await anAccount()
    const stranger = anAddress()
    for (let n = 0; n < 30; n++) {
      await guess(email, stranger)
      pass(60)
    }
    expect((await login(email, anAddress())).status).toBe(200)
  })

  it('the address may try other accounts', async () => {
    const email = await anAccount()
    const other = await anAccount()
    const from = anAddress()
    await guesses(6, email, from)
    expect((await login(other, from)).status).toBe(200)
  })

  it('the security answer still opens the way in', async () => {
    const email = await anAccount()
    const from = anAddress()
    await guesses(8, email, from)
    expect((await reset(email, from)).status).toBe(200)
    expect((await login(email, from)).status).toBe(200)
  })

  it('an unknown account waits just as long, and gets the same answers', async () => {
    const email = await anAccount()
    const from = anAddress()
    const unknown = 'nobody-here@example.com'
    for (let n = 0; n < 8; n++) {
      const one = await guess(email, from)
      const other = await guess(unknown, from)
      expect(other.body).toEqual(one.body)
      expect(other.bytes).toHaveLength(one.bytes.length)
      expect(other.headers['retry-after']).toBe(one.headers['retry-after'])
    }
  })
})

describe('many tries at once', () => {
  it('are no way around', async () => {
    const email = await anAccount()
    const from = anAddress()
    const tries = await Promise.all(Array.from({ length: 40 }, () => guess(email, from)))
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(5)
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(35)
  })
})

describe('wrong security answers', () => {
  const HOUR = 60 * 60
  const wrong = async (times: number, email: string, from: () => string) => {
    const statuses = []
    for (let n = 0; n < times; n++) statuses.push((await reset(email, from(), 'Go')).status)
    return statuses
  }
  const FIVE = [404, 404, 404, 404, 404]

  it('are five an hour for an account, from all networks that are new to it together', async () => {
    const email = await anAccount()
    expect(await wrong(7, email, anAddress)).toEqual([...FIVE, 429, 429])
    const refused = await reset(email, anAddress())
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, String(HOUR)])
    expect((await login(email, anAddress())).status).toBe(200)
    pass(HOUR)
    expect((await reset(email, anAddress())).status).toBe(200)
  })

  it('are twenty a day for an account, from all networks that are new to it together', async () => {
    const email = await anAccount()
    const statuses = []
    for (let hour = 0; hour < 6; hour++) {
      statuses.push(...(await wrong(6, email, anAddress)))
      pass(HOUR)
    }
    expect(statuses.filter((status) => status === 404)).toHaveLength(20)
    const refused = await reset(email, anAddress())
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, String(18 * HOUR)])
  })

  it('of strangers never keep out the owner at a place where the account was used', async () => {
    const email = await anAccount()
    const home = anAddress()
    expect((await login(email, home)).status).toBe(200)
    await wrong(6, email, anAddress)
    expect((await reset(email, home)).status).toBe(200)
  })

  it('are five an hour also at a place where the account was used', async () => {
    const email = await anAccount()
    const home = anAddress()
    await login(email, home)
    expect(await wrong(6, email, () => home)).toEqual([...FIVE, 429])
    expect((await reset(email, anAddress())).status).toBe(200)
  })

  it('are counted alike for an admin and for an e-mail without account', async () => {
    const admin = await anAccount({ admin: true })
    for (const email of [admin, 'nobody-anywhere@example.com']) {
      const statuses = []
      for (let n = 0; n < 6; n++) statuses.push((await reset(email, anAddress())).status)
      expect(statuses).toEqual([...FIVE, 429])
    }
  })

  it('that come at once are no way around', async () => {
    const email = await anAccount()
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => reset(email, anAddress(), 'Go')),
    )
    expect(tries.filter(({ status }) => status === 404)).toHaveLength(5)
    expect(tries.filter(({ status }) => status === 429)).toHaveLength(15)
  })

  it('are all that counts: right ones are given back', async () => {
    const email = await anAccount()
    await wrong(4, email, anAddress)
    for (let n = 0; n < 3; n++) expect((await reset(email, anAddress())).status).toBe(200)
    expect(await wrong(2, email, anAddress)).toEqual([404, 429])
  })
})

/**
 * Tests the rules without hashing: counts the guesses that are tried, and the users who can log in
 * meanwhile.
 */
describe('a day of guessing', () => {
  const DAY = 24 * 60 * 60
  let storage: AttemptStorage
  beforeEach(() => {
    const seen = new Set<string>()
    const has = async (...at: string[]) => seen.has(at.join())
    const add = async (...at: string[]) => void seen.add(at.join())
    storage = { counters: memoryCounters(), known: { has, add } }
  })
  const account = 'asha@example.com'
  const attempt = (address: string, isRight: boolean) =>
    withAttemptLimit(storage, { secret: 'password', account, address }, async () =>
      isRight ? 'in' : null,
    )
      .then((result) => (result === null ? 'wrong' : 'in'))
      .catch(() => 'refused' as const)

  async function guessesOfADay(addressAt: (second: number) => string) {
    let wrong = 0
    for (let second = 0; second < DAY; second += 5) {
      if ((await attempt(addressAt(second), false)) === 'wrong') wrong += 1
      pass(5)
    }
    return wrong
  }

  it('from one address comes to a few hundred guesses, and the owner is in everywhere', async () => {
    expect(await guessesOfADay(() => 'stranger')).toBeLessThan(400)
    expect(await attempt('a new place', true)).toBe('in')
  })

  it('from any number of addresses comes to no more', async () => {
    expect(await guessesOfADay((second) => `fresh ${second}`)).toBeLessThan(400)
    pass(DAY)
    expect(await guessesOfADay((second) => `one of 500: ${second % 2500}`)).toBeLessThan(700)
  })

  it('keeps nobody out of the addresses that they use', async () => {
    expect(await attempt('home', true)).toBe('in')
    await guessesOfADay((second) => `another ${second}`)
    expect(await attempt('home', false)).toBe('wrong')
    expect(await attempt('home', true)).toBe('in')
  })

  it('from any number of addresses of one wide network keeps nobody out elsewhere', async () => {
    const hex = (n: number) => n.toString(16)
    const in48 = (n: number) => `2001:db8:1:${hex(n % 65_536)}::1`
    expect(await guessesOfADay((second) => in48(second * 31))).toBeLessThan(1500)
    expect(await attempt('a new place', true)).toBe('in')
    expect(await attempt('2001:db8:2::1', true)).toBe('in')
  })

  it('in the neighbourhood keeps nobody out of the addresses that they use', async () => {
    const home = '2001:db8:1:1100::1'
    const near = (n: number) => `2001:db8:1:11${n}::1`
    expect(await attempt(home, true)).toBe('in')
    for (let n = 10; n < 60; n++) await attempt(near(n), false)
    expect(await attempt('2001:db8:1:11ff::1', true)).toBe('refused')
    expect(await attempt(home, true)).toBe('in')
  })

  it('does not count what could not be tried', async () => {
    const broken = () =>
      withAttemptLimit(storage, { secret: 'password', account: 'x', address: 'y' }, async () => {
        throw new Error('The database is away.')
      })
    for (let n = 0; n < 20; n++) await expect(broken()).rejects.toThrow('The database is away.')
  })
})
