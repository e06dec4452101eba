/** Where connections are set: by the environment, or encrypted by a key. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '#app/shared/server/doctor/finding.ts'
import { createApp } from '#server/app.ts'
import { PASSWORD } from '#tests/support/accounts.ts'
import { ADDRESS, connectableShop } from '#tests/support/connections.ts'
import { shopOn } from '#tests/support/shop.ts'

const { shop, admin, through, keys, unset } = await connectableShop()
const save: ReturnType<typeof through>['save'] = (...sent) => through(shop).save(...sent)

const keyFile = () => join(shop.config.DATA_DIR, 'secrets.key')

describe('settings of the environment', () => {
  it('come before stored ones, and are shown as such without their secrets', async () => {
    await save('payments', keys)
    const other = await shopOn(shop.db, {
      ...keys,
      ...unset,
      RAZORPAY_KEY_ID: 'rzp_test_other',
      SHOP_URL: 'https://other.example.com',
      DATA_DIR: shop.config.DATA_DIR,
    })
    const payments = await through(other).read('payments')
    expect(payments).toMatchObject({
      environment: 'RAZORPAY_KEY_ID',
      refusal: expect.stringContaining('RAZORPAY_KEY_ID in the environment'),
    })
    expect(payments.fields[0]).toMatchObject({ value: 'rzp_test_other' })
    expect(JSON.stringify(payments)).not.toContain(keys.RAZORPAY_KEY_SECRET)
    expect(await through(other).save('address', ADDRESS)).toMatchObject({ status: 409 })
    await other.app.close()
  })

  it('may have a password that is not encoded', async () => {
    const SMTP_URL = 'smtp://ada:100%@127.0.0.1:25'
    const given = { ...unset, SMTP_URL, SHOP_URL: ADDRESS.address, MAIL_FROM: 'shop@example.com' }
    const other = await shopOn(shop.db, given)
    expect(await through(other).read('email')).toMatchObject({ environment: 'SMTP_URL' })
    await other.app.close()
  })

  it('include the choice of test payments', async () => {
    const other = await shopOn(shop.db, { DATA_DIR: shop.config.DATA_DIR })
    expect(await through(other).save('payments', keys)).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('PAYMENTS in the environment') },
    })
    await other.app.close()
  })
})

it('a demo stores nothing: its login is published', async () => {
  const app = await createApp({
    config: shop.config,
    db: shop.db,
    logger: false,
    demo: { userIds: new Set() },
  })
  const reply = await app.inject({
    method: 'PUT',
    url: '/api/v1/settings/connections/address',
    headers: { authorization: admin().token },
    payload: { values: ADDRESS, password: PASSWORD },
  })
  expect(reply.json()).toMatchObject({ code: 'conflict', message: expect.stringMatching(/demo/) })
  await app.close()
})

describe('the key', () => {
  const SERVER = { ...unset, DATABASE_URL: 'postgres://unused' }
  const SECRETS_KEY = 'a key of the environment that is long enough'

  it('has to be in the environment with a database on a server', async () => {
    const without = await shopOn(shop.db, SERVER)
    const refusal = expect.stringContaining('Set SECRETS_KEY to a random text')
    expect(await through(without).read('address')).toMatchObject({ refusal })
    expect((await through(without).save('address', ADDRESS)).status).toBe(409)
    await without.app.close()
    const withKey = await shopOn(shop.db, { ...SERVER, SECRETS_KEY })
    expect((await through(withKey).save('address', ADDRESS)).status).toBe(200)
    // another machine of the shop reads it at its start
    const second = await shopOn(shop.db, { ...SERVER, SECRETS_KEY })
    expect(await through(second).read('address')).toMatchObject({
      fields: [{ value: ADDRESS.address }],
    })
    await second.app.close()
    await withKey.app.close()
  })

  it('another process uses what one has stored, within seconds', async () => {
    const [one, other] = [
      await shopOn(shop.db, { ...SERVER, SECRETS_KEY }),
      await shopOn(shop.db, { ...SERVER, SECRETS_KEY }),
    ]
    await other.app.listen({ port: 0, host: '127.0.0.1' })
    await through(one).save('address', ADDRESS)
    const robots = async () => (await other.app.inject({ url: '/robots.txt' })).body
    await expect.poll(robots).toContain(ADDRESS.address)
    await other.app.close()
    await one.app.close()
  })

  it('may be replaced: the former one reads until each connection is saved again', async () => {
    const NEW = 'another key of the environment that is new'
    const stored = { problem: null, fields: [{ value: ADDRESS.address }] }
    const before = await shopOn(shop.db, { ...SERVER, SECRETS_KEY })
    await through(before).save('address', ADDRESS)
    await before.app.close()
    const both = await shopOn(shop.db, { ...SERVER, SECRETS_KEY: `${NEW},${SECRETS_KEY}` })
    expect(await through(both).read('address')).toMatchObject(stored)
    await through(both).save('address', ADDRESS)
    await both.app.close()
    const after = await shopOn(shop.db, { ...SERVER, SECRETS_KEY: NEW })
    expect(await through(after).read('address')).toMatchObject(stored)
    await after.app.close()
  })

  it('that is missing leaves the shop open: nothing stored is used, and page and doctor say so', async () => {
    await save('address', ADDRESS)
    await save('payments', keys)
    const secret = await readFile(keyFile(), 'utf8')
    await rm(keyFile())
    const restored = await shopOn(shop.db, { ...unset, DATA_DIR: shop.config.DATA_DIR })
    const problem = expect.stringContaining('stored with another key')
    expect(await through(restored).read('payments')).toMatchObject({ isStored: true, problem })
    const findings = await restored.get<Finding[]>('/setup/findings', { token: admin().token })
    expect(findings.body).toContainEqual({
      state: 'problem',
      about: 'Stored settings',
      found: 'the payment provider of the back office is not used',
      advice: problem,
    })
    // entered again, with a new key
    expect((await through(restored).save('address', ADDRESS)).status).toBe(200)
    expect(await through(restored).read('address')).toMatchObject({ problem: null })
    await restored.app.close()
    await writeFile(keyFile(), secret, { mode: 0o600 })
  })

  it('does not open a value under another name', async () => {
    await save('payments', keys)
    const id = await shop.db
      .selectFrom('stored_settings')
      .where('name', '=', 'RAZORPAY_KEY_ID')
      .select(['key_id', 'nonce', 'sealed'])
      .executeTakeFirstOrThrow()
    await shop.db
      .updateTable('stored_settings')
      .set(id)
      .where('name', '=', 'RAZORPAY_WEBHOOK_SECRET')
      .execute()
    const other = await shopOn(shop.db, { ...unset, DATA_DIR: shop.config.DATA_DIR })
    expect(await through(other).read('payments')).toMatchObject({
      problem: expect.stringContaining('cannot be read'),
    })
    await other.app.close()
  })
})
