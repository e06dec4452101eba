/** A shop whose database has only the first migration, and what the next ones make of its rows. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { upgradedFromFirst } from '#tests/support/first-version.ts'

const USER = '01890000-0000-7000-8000-00000000000a'

/** Five orders in 2026, the second and the last one tests; the purchase before the fourth was undone. */
const ROWS = `
  insert into settings (name, tagline, email, phone, toll_free, address, accent, scheme, slides, about,
      contact, policy, currency_display, locale, low_stock, price_bands)
    values ('Terra', '', '', '', '', '', '#123456', 'system', '[]', '', '', '', 'EUR', 'de-DE', 5, '{0,20}');
  insert into tax_settings (prices_include_tax, taxes_shipping, seller_name, seller_address,
      seller_tax_number)
    values (true, true, '', '1 Lane', 'DE1');
  insert into users (id, name, email, email_key, password_hash, answer_hash, phone, address)
    values ('${USER}', 'Asha', 'a@example.com', 'a@example.com', '', '', '', '');
  for n in 1..5 loop
    if n = 4 then perform nextval('orders_number_seq'); end if;
    insert into payments (id, user_id, provider, state, test, amount_minor, currency,
        provider_payment_id, provider_order_id, received_at)
      values (('01890000-0000-7000-8000-10000000000' || n)::uuid, '${USER}', 'sandbox', 'captured',
        n in (2, 5), 100, 'EUR', 'pay_' || n, 'order_' || n, now());
    insert into orders (id, payment_id, user_id, buyer_name, buyer_email, buyer_phone, buyer_address,
        total_minor, test, created_at)
      values (('01890000-0000-7000-8000-20000000000' || n)::uuid,
        ('01890000-0000-7000-8000-10000000000' || n)::uuid, '${USER}', 'Asha', 'a@example.com', '', '',
        100, n in (2, 5), ('2026-11-0' || n || ' 23:30Z')::timestamptz);
  end loop;`

it('keeps the invoice numbers of real orders as they were seen, gives none to test orders, and copies currencies', async () => {
  const { db, close } = await upgradedFromFirst(ROWS)
  const invoices = await db
    .selectFrom('invoices')
    .innerJoin('orders', 'orders.id', 'order_id')
    .orderBy('invoices.number')
    .select(['invoices.number', 'orders.number as order_number'])
    .select(['seller_name', 'seller_address', 'seller_tax_number'])
    .select(sql<string>`issued_on::text`.as('issued_on'))
    .execute()
  const seller = { seller_name: 'Terra', seller_address: '1 Lane', seller_tax_number: 'DE1' }
  expect(invoices).toEqual([
    { number: 1, order_number: 1, issued_on: '2026-11-01', ...seller },
    { number: 3, order_number: 3, issued_on: '2026-11-03', ...seller },
    { number: 5, order_number: 5, issued_on: '2026-11-04', ...seller },
  ])
  expect(await db.selectFrom('orders').distinct().select('currency').execute()).toEqual([
    { currency: 'EUR' },
  ])
  expect(await db.selectFrom('invoices_due').selectAll().execute()).toEqual([])
  await close()
})

it('gives payments that may still be paid the contact of their open account', async () => {
  const user = (id: string, closed: string) => `
    insert into users (id, name, email, email_key, password_hash, answer_hash, phone, address, closed_at)
      values ('${id}', 'Asha', 'a@example.com', '${id}', '', '', '555 0100', '1 Lane', ${closed});`
  const payment = (id: number, userId: string, state: string) => `
    insert into payments (id, user_id, provider, state, amount_minor, currency)
      values ('01890000-0000-7000-8000-10000000000${id}', '${userId}', 'sandbox', '${state}', 100, 'EUR');`
  const closed = USER.replace(/a$/, 'c')
  const { db, close } = await upgradedFromFirst(
    [
      user(USER, 'null'),
      user(closed, 'now()'),
      payment(1, USER, 'created'),
      payment(2, USER, 'expired'),
      payment(3, USER, 'failed'),
      payment(4, closed, 'expired'),
    ].join(''),
  )
  const buyer = { name: 'Asha', email: 'a@example.com', phone: '555 0100', address: '1 Lane' }
  expect(await db.selectFrom('payments').orderBy('id').select('buyer').execute()).toEqual([
    { buyer },
    { buyer },
    { buyer: null },
    { buyer: null },
  ])
  await close()
})
