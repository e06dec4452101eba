/** The shops of releases, upgraded to this version: their merchants and customers see the same. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allSettingsOf, settingsOf } from '#app/settings/server/service.ts'
import { taxSettingsOf } from '#app/taxes/server/service.ts'
import type { OpenDatabase } from '#db/connect.ts'
import { isMigrated, migrate } from '#db/migrate.ts'
import { contradictionsIn } from '../support/consistency.ts'
import { shopOn, type TestShop } from '../support/shop.ts'
import { CUSTOMER } from './fill-shop.ts'
import { lookAround } from './look.ts'
import { readSeen, restoreDump, UPGRADED } from './restore-dump.ts'

/** Its orders are sales, as they were. */
const LIVE = {
  RAZORPAY_KEY_ID: 'rzp_live_upgrade',
  RAZORPAY_KEY_SECRET: 'secret',
  RAZORPAY_API_URL: 'http://127.0.0.1:9',
  RATE_LIMIT: 'on',
}

const readerOf =
  ({ app }: TestShop) =>
  async (
    method: string,
    path: string,
    { body, token = '' }: { body?: object; token?: string } = {},
  ) => {
    const reply = await app.inject({
      method: method as 'GET' | 'POST',
      url: `/api/v1${path}`,
      headers: { authorization: token },
      ...(body && { payload: body }),
    })
    expect(reply.statusCode, `${method} ${path} ${reply.payload}`).toBe(200)
    return reply.rawPayload
  }

type Invoice = { date: string; seller: object }
type User = { spent: number; email: string }
type Row = { order_id: string; refunded: string }

/** Until 0.3.0 the first row of an order had what was refunded. A refund of that time has no credit note. */
const withRefunds = (rows: Row[]): object[] =>
  [...Map.groupBy(rows, ({ order_id }) => order_id)].flatMap(([order_id, all]) => {
    const refunds = all.filter(({ refunded }) => Number(refunded) > 0)
    const refunded = { kind: 'refund', order_id, line_total: '', credit_note: '' }
    return [
      ...all.map((row) => ({ ...row, refunded: '' })),
      ...refunds.map((row) => ({ ...refunded, refunded: row.refunded })),
    ]
  })

/** Differences that a later version shows on purpose, by the release and the beginning of the path. */
const CHANGED: Record<string, Record<string, (before: never) => unknown>> = {
  '0.1.0': {
    '/order/export': withRefunds,
    // the day on which it was issued, and the shop's name where the merchant had set no seller
    '/order/invoice/': ({ date, seller, ...rest }: Invoice) => ({
      ...rest,
      date: date.slice(0, '2026-11-24'.length),
      seller: { ...seller, name: 'Souk' },
    }),
    // less refunds, which were 3.00 and all of an order
    '/auth/all-users': (users: User[]) =>
      users.map((user) => (user.email === CUSTOMER.email ? { ...user, spent: 119.8 } : user)),
  },
  '0.2.0': { '/order/export': withRefunds },
  '0.3.0': { '/order/export': withRefunds },
}

function expectedOf(version: string, path: string, before: unknown) {
  const changes = Object.entries(CHANGED[version] ?? {})
  const [, change] = changes.find(([start]) => path.startsWith(start)) ?? []
  return change ? change(before as never) : before
}

describe.each(UPGRADED)('a shop of %s', (version) => {
  let opened: OpenDatabase
  let shop: TestShop
  beforeAll(async () => {
    opened = await restoreDump(version)
    await migrate(opened.db)
    shop = await shopOn(opened.db, LIVE)
  })
  afterAll(async () => {
    await shop.app.close()
    await opened.close()
  })

  it('is upgraded to this version, without a contradiction in orders, money and stock', async () => {
    expect(await isMigrated(opened.db)).toBe(true)
    expect(await contradictionsIn(opened.db)).toEqual({})
  })

  it('shows its merchant and its customers what they saw before', async () => {
    const seen = await lookAround(readerOf(shop))
    for (const [path, before] of Object.entries(await readSeen(version))) {
      const expected = expectedOf(version, path, before)
      if (typeof expected === 'object')
        expect.soft(seen[path], path).toMatchObject(Object(expected))
      else expect.soft(seen[path], path).toBe(expected)
    }
  })
})

const TAX_CLASS = '01890000-0000-7000-8000-00000000000a'

it('keeps the tax settings, the logo and the known places of 0.2.0, without an entry of the audit log', async () => {
  const { db, close } = await restoreDump('0.2.0')
  const count = async (table: string) =>
    (await sql`select count(*) from ${sql.table(table)}`.execute(db)).rows
  await sql`insert into tax_classes values (${TAX_CLASS}, 'Reduced', 'reduced')`.execute(db)
  await sql`insert into tax_settings (prices_include_tax, taxes_shipping, shipping_class_id,
      default_country, default_region, seller_name, seller_address, seller_tax_number)
    values (true, false, ${TAX_CLASS}, 'US', null, 'Terra', '1 Lane', 'DE1')`.execute(db)
  await sql`update settings set mails_orders = false, logo = (select id from setting_pictures)`.execute(
    db,
  )
  const entries = await count('audit_log')
  const { rows: places } = await sql`
    select user_id, 'network' as kind, network as place, seen_at from known_networks
    union all select user_id, 'browser', browser, seen_at from known_browsers
    order by place`.execute(db)
  expect(places).toHaveLength(4)
  await migrate(db)
  expect(await taxSettingsOf(db)).toEqual({
    pricesIncludeTax: true,
    taxesShipping: false,
    shippingClass: TAX_CLASS,
    country: 'US',
    region: null,
    sellerName: 'Terra',
    sellerAddress: '1 Lane',
    sellerTaxNumber: 'DE1',
  })
  const { revision, settings } = await allSettingsOf(db)
  expect({ revision, mailsOrders: settings.mailsOrders }).toEqual({
    revision: 2,
    mailsOrders: false,
  })
  expect((await settingsOf(db)).logo).toMatchObject({ id: settings.logo, width: 160, height: 120 })
  const known = db.selectFrom('known_places').selectAll().orderBy('place')
  expect(await known.execute()).toEqual(places)
  expect(await count('audit_log')).toEqual(entries)
  await close()
})
