import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { shopOn, testShop } from '#tests/support/shop.ts'
import { knownNetworks } from './known-places-store.ts'
import { openAccount } from './service.ts'

const shop = testShop({ RATE_LIMIT: 'on' })

const PASSWORD = 'a long secret'
let people = 0
async function anAccount() {
  const email = `noor-${++people}@example.com`
  const facts = { name: 'Noor', phone: '555 0102', address: '3 Market Lane', answer: 'Chess' }
  const { id } = await openAccount(shop.db, { ...facts, email, password: PASSWORD })
  return { id, email }
}

const login = (
  { post }: Pick<typeof shop, 'post'>,
  email: string,
  from: string,
  password = PASSWORD,
) => post('/auth/login', { body: { email, password }, from })

/** Guesses from very many addresses, until all unknown networks are delayed. */
async function guessEverywhere(at: Pick<typeof shop, 'post'>, email: string) {
  for (let n = 0; n < 125; n++) await login(at, email, `203.0.${n}.1`, 'a guess')
}

const rowsOf = ({ id }: { id: string }) =>
  shop.db.selectFrom('known_places').where('user_id', '=', id).selectAll().execute()

describe('the addresses where an account has signed in', () => {
  it('are known after a restart and in every process: no stranger delays the owner there', async () => {
    const { email } = await anAccount()
    expect((await login(shop, email, '198.51.100.1')).status).toBe(200)
    const other = await shopOn(shop.db, { RATE_LIMIT: 'on' })
    await guessEverywhere(other, email)
    expect((await login(other, email, '198.51.100.2')).status).toBe(429)
    expect((await login(other, email, '198.51.100.1')).status).toBe(200)
    await other.app.close()
  })

  it('are forgotten after thirty days', async () => {
    const { id, email } = await anAccount()
    const known = knownNetworks(shop.db)
    await known.add(email, '198.51.100.1')
    expect(await known.has(email, '198.51.100.1')).toBe(true)
    const old = { seen_at: sql<Date>`now() - interval '721 hours'` }
    await shop.db.updateTable('known_places').set(old).where('user_id', '=', id).execute()
    expect(await known.has(email, '198.51.100.1')).toBe(false)
    const { email: another } = await anAccount()
    await known.add(another, '198.51.100.2')
    expect(await rowsOf({ id })).toEqual([])
  })

  it('are twenty at most, those that were used last', async () => {
    const account = await anAccount()
    const known = knownNetworks(shop.db)
    for (let n = 0; n < 30; n++) await known.add(account.email, `198.51.101.${n}`)
    expect(await rowsOf(account)).toHaveLength(20)
    expect(await known.has(account.email, '198.51.101.29')).toBe(true)
    expect(await known.has(account.email, '198.51.101.0')).toBe(false)
  })

  it('are kept as hashes that differ from account to account', async () => {
    const accounts = [await anAccount(), await anAccount()]
    for (const { email } of accounts) await login(shop, email, '198.51.100.7')
    const rows = (await Promise.all(accounts.map(rowsOf))).flat()
    expect(rows.map(({ place }) => place.length)).toEqual([32, 32])
    expect(new Set(rows.map(({ place }) => place.toString('hex'))).size).toBe(2)
    expect(rows.map(({ place }) => place.toString('latin1')).join()).not.toContain('198.51')
  })

  it("are nobody else's, and none where there is no account", async () => {
    const known = knownNetworks(shop.db)
    const { email } = await anAccount()
    await known.add(email, '198.51.100.8')
    const { email: stranger } = await anAccount()
    expect(await known.has(stranger, '198.51.100.8')).toBe(false)
    await known.add('nobody@example.com', '198.51.100.8')
    expect(await known.has('nobody@example.com', '198.51.100.8')).toBe(false)
  })
})
