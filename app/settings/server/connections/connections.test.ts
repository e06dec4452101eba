/** Storing connections, and what they are used for. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ConnectionName } from '#app/settings/connection-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { entriesOf } from '#tests/support/audit-log.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { ADDRESS, connectableShop } from '#tests/support/connections.ts'
import { shopOn } from '#tests/support/shop.ts'
import { openSmtp, sendEmails } from '#tests/support/smtp.ts'

const { shop, admin, through, smtp, keys, unset, mail } = await connectableShop()
const list = () => through(shop).list()
const read = (name: ConnectionName) => through(shop).read(name)
const save: ReturnType<typeof through>['save'] = (...sent) => through(shop).save(...sent)

const keyFile = () => join(shop.config.DATA_DIR, 'secrets.key')

describe('PUT /settings/connections/:name', () => {
  it('takes payments with the keys at once, in the currency of the prices, and stops when they are removed', async () => {
    const category = await addCategory(shop.db, crypto.randomUUID())
    const { id } = await addProduct(shop.db, { category, price: 10 })
    const buyer = await addPerson(shop.db)
    const body = { amount: 1000, cart: [{ _id: id }] }
    const pay = () =>
      shop.post<{ currency: string }>('/product/razorpay/order', { token: buyer.token, body })
    expect((await pay()).status).toBe(503)
    expect((await save('payments', keys)).status).toBe(200)
    expect(await pay()).toMatchObject({
      status: 200,
      body: { key: keys.RAZORPAY_KEY_ID, currency: 'INR' },
    })
    expect((await save('payments', {})).status).toBe(200)
    expect((await pay()).status).toBe(503)
  })

  it('accepts webhooks as soon as their secret is set', async () => {
    const send = () => shop.post('/payment/webhook/razorpay', { body: {} })
    expect((await send()).status).not.toBe(400)
    await save('payments', keys)
    expect(await send()).toMatchObject({
      status: 400,
      body: { message: 'The signature is invalid.' },
    })
  })

  it('sends e-mails by the server at once, with links to the address', async () => {
    await save('address', ADDRESS)
    expect((await save('email', mail)).status).toBe(200)
    await sendEmails(shop)
    const [sent] = smtp.received
    expect(sent?.raw).toContain('From: Souk <souk@example.com>')
    expect(sent?.raw.replaceAll('=\r\n', '')).toContain('https://shop.example.com/dashboard')
    const { body } = await shop.get<object>('/settings/all', { token: admin().token })
    expect(JSON.stringify(body)).not.toContain('souk@example.com')
  })

  it('answers a secret never again, only its last four characters', async () => {
    await save('payments', keys)
    await save('address', ADDRESS)
    await save('email', { ...mail, user: 'souk', password: 'a-password-of-souk' })
    const text = JSON.stringify(await list())
    for (const secret of [
      keys.RAZORPAY_KEY_SECRET,
      keys.RAZORPAY_WEBHOOK_SECRET,
      'a-password-of-souk',
    ])
      expect(text).not.toContain(secret)
    const { fields } = await read('payments')
    expect(fields).toMatchObject([
      { value: keys.RAZORPAY_KEY_ID, isWriteOnly: false },
      { value: '', isWriteOnly: true, isSet: true, ending: keys.RAZORPAY_KEY_SECRET.slice(-4) },
      { value: '', isWriteOnly: true, isSet: true },
    ])
    expect((await read('email')).fields).toContainEqual(
      expect.objectContaining({ name: 'password', value: '', isSet: true, ending: null }),
    )
  })

  it('stores everything encrypted, by a key in a file that only its owner can read', async () => {
    await save('address', ADDRESS)
    await save('payments', keys)
    const rows = await shop.db.selectFrom('stored_settings').selectAll().execute()
    const text = rows.map(({ sealed }) => sealed.toString('latin1')).join()
    for (const value of [...Object.values(keys), ADDRESS.address]) expect(text).not.toContain(value)
    expect(rows.map(({ name }) => name).sort()).toEqual([
      'CURRENCY_CHARGE',
      'RAZORPAY_KEY_ID',
      'RAZORPAY_KEY_SECRET',
      'RAZORPAY_WEBHOOK_SECRET',
      'SHOP_URL',
    ])
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600)
  })

  it.each(['', 'wrong'])('refuses the password %j, and changes nothing', async (password) => {
    const reply = await save('address', ADDRESS, password)
    expect(reply).toMatchObject({ status: 400, body: { field: 'password' } })
    expect(await read('address')).toMatchObject({ isStored: false, fields: [{ value: '' }] })
    expect(await shop.db.selectFrom('emails').selectAll().execute()).toEqual([])
  })

  it('slows guesses of the password down as a log-in does', async () => {
    const limited = await shopOn(shop.db, { ...unset, RATE_LIMIT: 'on' })
    const statuses: number[] = []
    for (let n = 0; n < 8; n += 1)
      statuses.push((await through(limited).save('address', ADDRESS, 'wrong')).status)
    expect(statuses).toContain(429)
    await limited.app.close()
  })

  it('is in the history, without a value, and mailed to every admin', async () => {
    const other = await addPerson(shop.db, { admin: true, name: 'Grace' })
    const entries = await entriesOf(shop.db, () => save('address', ADDRESS))
    expect(entries).toMatchObject([
      {
        actor_kind: 'admin',
        actor_id: admin().id,
        table_name: 'stored_settings',
        action: 'insert',
      },
    ])
    expect(JSON.stringify(entries)).not.toContain('shop.example.com')
    const mails = await shop.db
      .selectFrom('emails')
      .innerJoin('events', 'events.id', 'event_id')
      .where('emails.kind', '=', 'settings_changed')
      .select(['user_id', 'facts'])
      .execute()
    expect(mails.map(({ user_id }) => user_id).sort()).toEqual([admin().id, other.id].sort())
    expect(mails[0]?.facts).toMatchObject({ connection: 'address', by: 'Ada' })
  })

  it('warns of another SMTP server by the former one, too', async () => {
    const stranger = await openSmtp()
    await save('address', ADDRESS)
    await save('email', mail)
    await sendEmails(shop)
    smtp.received.length = 0
    await save('email', { ...mail, port: new URL(stranger.url).port })
    expect(smtp.received.map(({ to }) => to)).toContain(admin().email)
    await sendEmails(shop)
    expect(stranger.received.map(({ to }) => to)).toContain(admin().email)
    await stranger.close()
  })

  it('does not send a stored password to another server', async () => {
    await save('address', ADDRESS)
    await save('email', { ...mail, user: 'souk', password: 'a-password-of-souk' })
    const moved = { ...mail, user: 'souk', host: 'smtp.evil.example' }
    expect(await save('email', moved)).toMatchObject({
      status: 400,
      body: { fields: [{ field: 'values.password' }] },
    })
    const kept = { ...mail, user: 'souk', sender: 'other@example.com' }
    expect((await save('email', kept)).status).toBe(200)
    expect((await read('email')).fields).toContainEqual(
      expect.objectContaining({ name: 'password', isSet: true }),
    )
  })

  it.each([
    ['email', { ...mail, host: 'smtp example' }, 'values.host'],
    ['email', { ...mail, host: '127.0.0.1/@evil' }, 'values.host'],
    ['email', { ...mail, port: '70000' }, 'values.port'],
    ['email', { ...mail, sender: 'everybody' }, 'values.sender'],
    ['email', { ...mail, sender: 'a@b.c\r\nBcc: d@e.f' }, 'values.sender'],
    ['address', { address: 'shop.example.com' }, 'values.address'],
    ['address', { address: 'javascript:alert(1)' }, 'values.address'],
    ['address', { address: 'https://user:word@shop.example.com' }, 'values.address'],
    ['payments', { RAZORPAY_KEY_ID: 'rzp_test_fake' }, 'values.RAZORPAY_KEY_SECRET'],
  ] as const)('names what is wrong with %s %j', async (name, values, field) => {
    await save('address', ADDRESS)
    expect(await save(name, values)).toMatchObject({ status: 400, body: { field } })
  })

  it('refuses keys that the provider does not know, and does not repeat them', async () => {
    const reply = await save('payments', { ...keys, RAZORPAY_KEY_SECRET: 'not-the-secret' })
    expect(reply).toMatchObject({ status: 400 })
    expect(reply.body.message).toContain('Razorpay does not know these keys')
    expect(reply.body.message).not.toContain('not-the-secret')
    expect(await read('payments')).toMatchObject({ isStored: false })
  })

  it('refuses an SMTP server without an address, and to remove the address that it needs', async () => {
    const refusal =
      'Set the public address first, under Settings, Address: links in e-mails lead there.'
    // before anything is typed, too
    expect(await read('email')).toMatchObject({ refusal })
    expect(await save('email', mail)).toMatchObject({ status: 409, body: { message: refusal } })
    await save('address', ADDRESS)
    expect(await read('email')).toMatchObject({ refusal: null })
    await save('email', mail)
    expect((await save('address', {})).status).toBe(409)
  })

  it('keeps prices in the currency of live keys', async () => {
    const other = await shopOn(shop.db, {
      ...unset,
      DATA_DIR: shop.config.DATA_DIR,
      RATE_LIMIT: 'on',
    })
    const live = { ...keys, RAZORPAY_KEY_ID: 'rzp_live_fake' }
    expect((await through(other).save('payments', live)).status).toBe(200)
    const all = await other.get<{ revision: number; settings: object }>('/settings/all', {
      token: admin().token,
    })
    const settings = { ...all.body.settings, currencyDisplay: 'EUR' }
    const reply = await other.put('/settings/all', {
      token: admin().token,
      body: { ...all.body, settings },
    })
    expect(reply).toMatchObject({ status: 400, body: { field: 'currencyDisplay' } })
    await through(other).save('payments', {})
    await other.app.close()
  })
})
