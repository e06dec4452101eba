import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#app/audit/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { testShop } from '#tests/support/shop.ts'
import { openAccount, replacePassword } from './service.ts'
import { openSession } from './sessions.ts'

const shop = testShop()
let owner: Person
beforeAll(async () => {
  owner = await addPerson(shop.db, { admin: true, name: 'Meera Nair' })
})

let people = 0
const SECRETS = { password: 'first secret', answer: 'Chess' }
async function anAccount({ admin = false } = {}) {
  const email = `audited-${++people}@example.com`
  const facts = { name: 'Sam Rivera', email, phone: '555 0105', address: '6 Market Lane' }
  const { id, ...user } = await openAccount(shop.db, { ...facts, ...SECRETS }, { admin })
  return { id, email, token: await openSession(shop.db, { id, ...user }) }
}

const login = (email: string, from: string, password = 'first secret') =>
  shop.post('/auth/login', { body: { email, password }, from })

/** The entries of an account, oldest first: the actor, and the action or the changed fields. */
async function eventsOf(id: string) {
  const query = new URLSearchParams({ object: id, kind: 'users' })
  const { body } = await shop.get<AuditEntry[]>(`/audit-log?${query}`, { token: owner.token })
  return body
    .map(({ actor, action, changes }) => [
      actor._id === null ? actor.kind : `${actor.kind} ${actor._id}`,
      ...(action === 'update' ? changes.map(({ field }) => field) : [action]),
    ])
    .reverse()
}

describe('the history of an account', () => {
  it('tells of a reset by the answer', async () => {
    const { id, email } = await anAccount()
    const body = { email, answer: 'Chess', newPassword: 'second secret' }
    await shop.post('/auth/forgot-password', { body: { ...body, answer: 'Golf' } })
    expect(await eventsOf(id)).toEqual([])
    await shop.post('/auth/forgot-password', { body })
    expect(await eventsOf(id)).toEqual([
      [`user ${id}`, 'password'],
      [`user ${id}`, 'password_reset_by_answer'],
    ])
  })

  it('tells of a reset by the owner', async () => {
    const { id, email } = await anAccount()
    await replacePassword(shop.db, { email, newPassword: 'second secret' })
    expect(await eventsOf(id)).toEqual([['owner', 'answer', 'password']])
  })

  it('tells of a new password and a new answer, and of nothing else in the profile', async () => {
    const { id, token } = await anAccount()
    const change = (body: object) => shop.put('/auth/profile', { token, body })
    await change({ name: 'Sam', phone: '5', address: 'L' })
    expect(await eventsOf(id)).toEqual([])
    await change({ password: 'second secret' })
    await change({ answer: 'Golf', currentPassword: 'second secret' })
    await change({ answer: 'Golf', currentPassword: 'not the secret' })
    expect(await eventsOf(id)).toEqual([
      [`user ${id}`, 'password'],
      [`user ${id}`, 'answer'],
    ])
  })

  it('calls an admin an admin in it', async () => {
    const { id, token } = await anAccount({ admin: true })
    const body = { password: 'second secret', currentPassword: 'first secret' }
    await shop.put('/auth/profile', { token, body })
    expect(await eventsOf(id)).toEqual([
      ['owner', 'insert'],
      [`admin ${id}`, 'password'],
    ])
  })

  it('tells of an admin who signs in from a network where the account was not seen', async () => {
    const { id, email } = await anAccount({ admin: true })
    await login(email, '198.51.100.20', 'not the secret')
    await login(email, '198.51.100.20')
    await login(email, '198.51.100.20')
    await login(email, '198.51.100.21')
    expect((await eventsOf(id)).slice(1)).toEqual([
      [`admin ${id}`, 'signed_in'],
      [`admin ${id}`, 'signed_in'],
    ])
  })

  it('tells of no sign-in of a customer', async () => {
    const { id, email } = await anAccount()
    expect((await login(email, '198.51.100.22')).status).toBe(200)
    expect(await eventsOf(id)).toEqual([])
  })

  it('tells of roles, and of the answer and the sessions that a promotion ends', async () => {
    const { id } = await anAccount()
    for (const role of [0, 1, 1, 0]) {
      await shop.put(`/auth/user-role/${id}`, { token: owner.token, body: { role } })
    }
    expect(await eventsOf(id)).toEqual([
      [`admin ${owner.id}`, 'is_admin'],
      [`admin ${owner.id}`, 'sessions_ended'],
      [`admin ${owner.id}`, 'answer'],
      [`admin ${owner.id}`, 'is_admin'],
    ])
  })

  it('tells of sessions that an admin ended', async () => {
    const { id } = await anAccount()
    await shop.delete(`/auth/user-sessions/${id}`, { token: owner.token })
    expect(await eventsOf(id)).toEqual([[`admin ${owner.id}`, 'sessions_ended']])
  })

  it('contains no name, no e-mail, no address and no secret', async () => {
    const { id, email, token } = await anAccount()
    await login(email, '198.51.100.23')
    const body = { password: 'second secret', answer: 'Golf', currentPassword: 'first secret' }
    await shop.put('/auth/profile', { token, body })
    const { rows } = await sql<{ text: string }>`
      select audit_log::text as text from audit_log where row_id = ${id}`.execute(shop.db)
    expect(rows).toHaveLength(1)
    const all = rows.map(({ text }) => text).join('\n')
    expect(all).not.toMatch(/Sam|Rivera|example\.com|198\.51|argon2|secret|Chess|Golf|Lane/)
  })
})
