/** A change of how customers pay needs the password, and every admin is told. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Warning } from '#app/emails/admin-contract.ts'
import type { Settings } from '#app/settings/admin-contract.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import { addPerson, PASSWORD, type Person } from '#tests/support/accounts.ts'
import { paymentMethods } from '#tests/support/payment-methods.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'
import { importSettings } from './file.ts'

const shop = testShop()

let admin: Person
let other: Person
const { read, save } = settingsThrough(shop, () => admin)
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true, name: 'Asha' })
  other = await addPerson(shop.db, { admin: true, name: 'Ben' })
})

const TRANSFER = paymentMethods({ bank_transfer: { instructions: 'IBAN DE01 OURS' } })
const ELSEWHERE = paymentMethods({ bank_transfer: { instructions: 'IBAN DE00 ATTACKER' } })
beforeEach(async () => {
  await save({ paymentMethods: TRANSFER, currencyDisplay: 'INR' })
  await shop.db.deleteFrom('events').execute()
})

/** Saves settings with the session, and this password. */
async function saveWith(changes: Partial<Settings>, password?: string) {
  const { revision, settings } = await read()
  const body = { revision, settings: { ...settings, ...changes }, password }
  return shop.put('/settings/all', { token: admin.token, body })
}

const warnings = async ({ token }: Person) =>
  (await shop.get<Warning[]>('/email/warnings', { token })).body

/** The facts of the changes of which every admin is warned. */
const changes = async () =>
  (
    await shop.db
      .selectFrom('events')
      .where('kind', '=', 'settings_changed')
      .select('facts')
      .execute()
  ).map(({ facts }) => facts)

const instructions = async () => (await read()).settings.paymentMethods.bank_transfer.instructions

describe('PUT /settings/all', () => {
  const { bank_transfer } = TRANSFER
  it.each<[string, Settings['paymentMethods']]>([
    ['the bank account', ELSEWHERE],
    [
      'the name of a way to pay',
      { ...TRANSFER, bank_transfer: { ...bank_transfer, name: 'DE00' } },
    ],
    ['that a way to pay is offered', paymentMethods({ pay_on_delivery: {}, bank_transfer })],
    ['that a way to pay is no longer offered', paymentMethods({})],
  ])('refuses to change %s without the password of the caller', async (_, methods) => {
    for (const password of [undefined, '', 'wrong-horse']) {
      const { status, body } = await saveWith({ paymentMethods: methods }, password)
      expect([status, body.field]).toEqual([400, 'password'])
    }
    expect((await read()).settings.paymentMethods).toEqual(TRANSFER)
    expect(await warnings(other)).toEqual([])
    expect((await saveWith({ paymentMethods: methods }, PASSWORD)).status).toBe(200)
  })

  it('needs no password for the rest', async () => {
    const fee = { ...TRANSFER, bank_transfer: { ...bank_transfer, fee: 2, days: 9 } }
    expect((await saveWith({ paymentMethods: fee, tagline: 'cups' })).status).toBe(200)
    expect(await shop.db.selectFrom('emails').selectAll().execute()).toEqual([])
  })

  it('queues an e-mail to every admin about a change of how customers pay', async () => {
    await saveWith({ paymentMethods: ELSEWHERE }, PASSWORD)
    const emails = await shop.db.selectFrom('emails').selectAll().execute()
    expect(emails.map(({ user_id }) => user_id).sort()).toEqual([admin.id, other.id].sort())
    expect(await changes()).toMatchObject([{ by: 'Asha' }])
  })
})

describe('the import of settings by a command', () => {
  it('queues an e-mail to every admin, too', async () => {
    const { settings } = await read()
    const file = { format: 'haat-settings', version: 1, pictures: [] }
    const text = JSON.stringify({ ...file, settings: { ...settings, paymentMethods: ELSEWHERE } })
    const charged = { currency: 'INR', isFixed: false, isDemo: false }
    await importSettings(shop.db, OWNER, text, charged)
    expect(await instructions()).toBe('IBAN DE00 ATTACKER')
    expect(await shop.db.selectFrom('emails').select('id').execute()).toHaveLength(2)
    expect(await changes()).toMatchObject([{ by: 'the owner of the shop, by a command' }])
  })
})

describe('GET /email/warnings', () => {
  it('has what no server accepted, for each admin until that one has read it', async () => {
    await saveWith({ paymentMethods: ELSEWHERE }, PASSWORD)
    expect(await warnings(other)).toEqual([])
    const kept = { state: 'kept', next_attempt_at: null } as const
    await shop.db.updateTable('emails').set(kept).execute()
    const [warning, ...more] = await warnings(other)
    expect(warning).toMatchObject({
      by: 'Asha',
      subject: expect.stringContaining('How customers pay'),
    })
    expect(more).toEqual([])
    const ids = [warning?._id]
    // nobody reads those of another admin
    await shop.post('/email/read-warnings', { token: admin.token, body: { ids } })
    expect(await warnings(other)).toHaveLength(1)
    await shop.post('/email/read-warnings', { token: other.token, body: { ids } })
    expect(await warnings(other)).toEqual([])
    expect(await warnings(admin)).toHaveLength(1)
  })

  it('has nothing that a server accepted', async () => {
    await saveWith({ paymentMethods: ELSEWHERE }, PASSWORD)
    const sent = { state: 'sent', next_attempt_at: null, sent_at: new Date() } as const
    await shop.db.updateTable('emails').set(sent).execute()
    expect(await warnings(other)).toEqual([])
  })
})
