import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { insertKnown } from '#app/accounts/server/known-places-store.ts'
import { hashPassword } from '#app/accounts/server/passwords.ts'
import type { OpenDatabase } from '#db/connect.ts'
import { DEMO_ADMIN, DEMO_CUSTOMER } from '#demo/accounts.ts'
import { PHOTOS_FACT } from '#demo/finish-photos.ts'
import { isDemoLoaded } from '#demo/load-demo.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { addDemoAccounts } from '#tests/support/demo-accounts.ts'
import { readConfig } from '../config.ts'
import { showProgress } from '../operation/output.ts'
import { openDemo } from './open-demo.ts'

const LIVE = {
  RAZORPAY_KEY_ID: 'rzp_live_1',
  RAZORPAY_KEY_SECRET: 'secret',
  CURRENCY_DISPLAY: 'INR',
  CURRENCY_CHARGE: 'INR',
}

describe('the demo at start', () => {
  let opened: OpenDatabase
  beforeAll(async () => {
    opened = await openTestDatabase()
  })
  afterEach(async () => {
    await opened.db.deleteFrom('shop_facts').execute()
    await opened.db.deleteFrom('users').execute()
  })
  afterAll(() => opened.close())

  const open = (settings: Record<string, string>, { embedded = true, isExamined = false } = {}) =>
    openDemo(readConfig(settings), { ...opened, embedded }, { isExamined })
  const addDemo = () => addDemoAccounts(opened.db)

  /** Sets a password and an answer on the demo's accounts that are not published. */
  async function change(secret: 'password_hash' | 'answer_hash') {
    const changed = await hashPassword('what the owner has chosen')
    await opened.db
      .updateTable('users')
      .set({ [secret]: changed })
      .execute()
  }

  it('is not loaded when it is off', async () => {
    expect(await open({ DEMO: 'off' })).toEqual({ demo: null, lines: [] })
    expect(await isDemoLoaded(opened.db)).toBe(false)
  })

  it('is not loaded by default on a database server', async () => {
    expect(await open({}, { embedded: false })).toEqual({ demo: null, lines: [] })
    expect(await isDemoLoaded(opened.db)).toBe(false)
  })

  it('is not loaded by default where the settings speak of a real shop', async () => {
    expect(await open(LIVE)).toEqual({ demo: null, lines: [] })
    expect(await isDemoLoaded(opened.db)).toBe(false)
  })

  it('tells its logins while it is there', async () => {
    await addDemo()
    const { demo, lines } = await open({}, { embedded: false })
    expect(demo?.admin).toEqual({ email: 'admin@example.com', password: 'admin-demo' })
    expect(demo?.userIds.size).toBe(2)
    expect(lines.join('\n')).toContain('customer@example.com / customer-demo')
  })

  it('is over for good once it is off', async () => {
    await addDemo()
    const { demo, lines } = await open({ DEMO: 'off' })
    expect(demo).toBeNull()
    expect(lines.join('\n')).toMatch(/admin@example\.com and customer@example\.com can no longer/)
    expect(await open({ DEMO: 'off' })).toEqual({ demo: null, lines: [] })
    expect(await open({ DEMO: 'on' })).toEqual({ demo: null, lines: [] })
  })

  it('leaves an entry of each account in the audit log, and nothing else of the demo', async () => {
    await addDemo()
    const { db } = opened
    const [admin, customer] = [DEMO_ADMIN, DEMO_CUSTOMER].map(({ email }) => email)
    await insertKnown(db, admin ?? '', { kind: 'network', place: Buffer.alloc(32) })
    await db.insertInto('shop_facts').values(PHOTOS_FACT).execute()
    const users = await db.selectFrom('users').select(['id', 'email']).execute()
    const entries = await entriesOf(db, () => open({ DEMO: 'off' }))
    const emailOf = (id: string) => users.find((user) => user.id === id)?.email
    expect(
      entries.map(({ actor_kind, row_id, after }) => [actor_kind, emailOf(row_id), after]),
    ).toEqual(
      [admin, customer].map((email) => [
        'owner',
        email,
        { password: 'changed', answer: 'changed' },
      ]),
    )
    expect(await db.selectFrom('known_places').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('shop_facts').selectAll().execute()).toEqual([])
  })

  it.each<[what: string, settings: Record<string, string>]>([
    ['RAZORPAY_KEY_ID is a live key', LIVE],
    ['SHOP_URL is https://shop.example.com', { SHOP_URL: 'https://shop.example.com' }],
    ['HOST is 0.0.0.0', { HOST: '0.0.0.0' }],
    ['HOST is 192.168.0.9', { HOST: '192.168.0.9' }],
    ['TRUST_PROXY is loopback', { TRUST_PROXY: 'loopback' }],
  ])('does not open a real shop: %s', async (sign, settings) => {
    await expect(open({ ...settings, DEMO: 'on' })).rejects.toThrow(sign)
    await addDemo()
    await expect(open(settings)).rejects.toThrow(`${sign}, as in a real shop`)
    await expect(open({ ...settings, DEMO: 'on' })).rejects.toThrow('Set DEMO=off')
  })

  it.each(['password_hash', 'answer_hash'] as const)(
    'does not open a real shop when only the %s was changed',
    async (secret) => {
      await addDemo()
      await change(secret)
      await expect(open(LIVE)).rejects.toThrow('admin@example.com')
      await change(secret === 'answer_hash' ? 'password_hash' : 'answer_hash')
      expect(await open(LIVE)).toEqual({ demo: null, lines: [] })
    },
  )

  it.each([
    'http://localhost:3000',
    'http://127.0.0.2:3000',
    'http://[::1]:3000',
    'http://shop.localhost',
  ])('is a demo at SHOP_URL=%s', async (url) => {
    await addDemo()
    expect((await open({ SHOP_URL: url, HOST: '::1' })).demo).not.toBeNull()
  })

  it('is examined by one process of a machine', async () => {
    await addDemo()
    expect(await open(LIVE, { isExamined: true })).toEqual({ demo: null, lines: [] })
  })
})

describe('progress', () => {
  const shown = (isTTY: boolean) => {
    const written: string[] = []
    const show = showProgress('Baking', { isTTY, write: (text) => written.push(text) })
    for (let done = 1; done <= 8; done++) show(done, 8)
    return written
  }

  it('rewrites one line on a terminal', () => {
    expect(shown(true)).toHaveLength(8)
    expect(shown(true).at(-1)).toBe('\rBaking: 8 of 8\n')
  })

  it('writes a few lines elsewhere', () => {
    expect(shown(false)).toEqual([2, 4, 6, 8].map((done) => `Baking: ${done} of 8\n`))
  })
})
