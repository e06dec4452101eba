import { beforeAll, describe, expect, it } from 'vitest'
import type { FailureBody } from '#app/shared/contract/failure.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { testShop } from '#tests/support/shop.ts'
import { openAccount, replacePassword } from './service.ts'
import { openSession } from './sessions.ts'

const shop = testShop()
let owner: Person
beforeAll(async () => {
  owner = await addPerson(shop.db, { admin: true })
})

let people = 0
/** An account whose password is `first secret` and whose answer is `Chess`. */
async function anAccount({ admin = false } = {}) {
  const email = `devi-${++people}@example.com`
  const facts = { name: 'Devi', email, phone: '555 0103', address: '4 Market Lane' }
  const secrets = { password: 'first secret', answer: 'Chess' }
  const user = await openAccount(shop.db, { ...facts, ...secrets }, { admin })
  return { user, email, token: await openSession(shop.db, user) }
}

const reset = (email: string, answer = 'Chess') =>
  shop.post<FailureBody>('/auth/forgot-password', {
    body: { email, answer, newPassword: 'second secret' },
  })

const loginStatus = async (email: string, password: string) =>
  (await shop.post('/auth/login', { body: { email, password } })).status

const mayEnter = async (token: string) => (await shop.get('/auth/user-auth', { token })).status

const setRole = (id: string, role: number) =>
  shop.put(`/auth/user-role/${id}`, { token: owner.token, body: { role } })

describe('the security answer', () => {
  it('resets no password of an admin, with the reply of a wrong answer', async () => {
    const { email, token } = await anAccount({ admin: true })
    const right = await reset(email)
    const wrong = await reset(email, 'Football')
    const unknown = await reset('nobody@example.com')
    expect(right).toMatchObject({ status: 404, body: { message: 'Wrong email or answer' } })
    expect([wrong.body, unknown.body]).toEqual([right.body, right.body])
    expect([wrong.bytes.length, unknown.bytes.length]).toEqual([
      right.bytes.length,
      right.bytes.length,
    ])
    expect(await mayEnter(token)).toBe(200)
    expect(await loginStatus(email, 'second secret')).toBe(401)
    expect(await loginStatus(email, 'first secret')).toBe(200)
  })

  it('takes as long to be refused for an admin as for a wrong answer', async () => {
    const { email } = await anAccount({ admin: true })
    const time = async (answer: string, of = email) => {
      const start = performance.now()
      await reset(of, answer)
      return performance.now() - start
    }
    const [right, wrong, unknown]: number[][] = [[], [], []]
    // alternating, so that a busy machine slows all of them
    for (let round = 0; round < 5; round++) {
      right?.push(await time('Chess'))
      wrong?.push(await time('Football'))
      unknown?.push(await time('Chess', 'nobody@example.com'))
    }
    const fastest = (times: number[] = []) => Math.min(...times)
    expect(fastest(right)).toBeGreaterThan(fastest(wrong) / 4)
    expect(fastest(right)).toBeLessThan(fastest(wrong) * 4)
    expect(fastest(unknown)).toBeGreaterThan(fastest(right) / 4)
  })

  it('is replaced by a promotion, and stays unknown after the way back', async () => {
    const { user, email } = await anAccount()
    expect((await setRole(user.id, 1)).status).toBe(200)
    expect((await reset(email)).status).toBe(404)
    expect((await setRole(user.id, 0)).status).toBe(200)
    expect((await reset(email)).status).toBe(404)
    expect(await loginStatus(email, 'first secret')).toBe(200)
  })

  it('is kept where a role is set that the user has already', async () => {
    const { user, email } = await anAccount()
    expect((await setRole(user.id, 0)).status).toBe(200)
    expect((await reset(email)).status).toBe(200)
  })

  it("is replaced by the owner's reset", async () => {
    const { email, token } = await anAccount()
    await replacePassword(shop.db, { email, newPassword: 'third secret' })
    expect(await mayEnter(token)).toBe(401)
    expect((await reset(email)).status).toBe(404)
    expect(await loginStatus(email, 'third secret')).toBe(200)
  })

  it("proved before the owner's reset opens nothing after it", async () => {
    const { email } = await anAccount()
    // concurrently: either the owner's password is the last, or the answer's reset came before
    const [byAnswer] = await Promise.all([
      reset(email),
      replacePassword(shop.db, { email, newPassword: 'third secret' }),
    ])
    expect([200, 404]).toContain(byAnswer.status)
    expect(await loginStatus(email, 'third secret')).toBe(200)
    expect(await loginStatus(email, 'second secret')).toBe(401)
  })

  it("of a place that the owner's reset has made forget is no longer the attacker's", async () => {
    const { user, email } = await anAccount()
    expect(await loginStatus(email, 'first secret')).toBe(200)
    await replacePassword(shop.db, { email, newPassword: 'third secret' })
    const known = shop.db.selectFrom('known_places').where('user_id', '=', user.id).selectAll()
    expect(await known.execute()).toEqual([])
  })
})

describe('an account whose password and answer nobody can know', () => {
  it('is refused like an unknown one, with any password and answer', async () => {
    const { email } = await addPerson(shop.db)
    expect(await loginStatus(email, '-')).toBe(401)
    expect((await reset(email, '-')).status).toBe(404)
  })

  it('cannot change its secrets in the profile where the current password is asked', async () => {
    const { token } = await addPerson(shop.db)
    const body = { answer: 'Golf', currentPassword: '-' }
    expect(await shop.put('/auth/profile', { token, body })).toMatchObject({ status: 400 })
  })
})
