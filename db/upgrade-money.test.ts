/** Payments of 0.3.0, whose money and refund were columns of their row, and the rows that they become. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contradictionsIn } from '#tests/support/consistency.ts'
import type { OpenDatabase } from './connect.ts'
import { openEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'

/** The columns of a payment of 100.00 that was started ten minutes ago, and what has to become of it. */
type Former = {
  columns?: Record<string, string>
  order?: 'Processing' | 'cancel'
  dispute?: 'open' | 'lost'
  /** The payment, its captures and their refunds, each by its state. */
  becomes: string
}

const PROMISED = { provider_payment_id: 'money', received_at: 'now()' }
const PAID = { ...PROMISED, confirmed_at: 'now()' }
const REFUSED = { ...PAID, refusal: 'Sold out.', refusal_code: 'out_of_stock' }
const soon = { next_attempt_at: "now() + interval '1 hour'" }

const FORMER: Record<string, Former> = {
  'a reservation': {
    columns: { state: 'created', reserved_until: "now() + interval '5 minutes'", ...soon },
    becomes: 'open',
  },
  'one that expired': { columns: { state: 'expired', ...soon }, becomes: 'expired' },
  'one that was cancelled': {
    columns: { state: 'failed', cancelled_at: 'now()', ...soon },
    becomes: 'cancelled',
  },
  'money without a cart': {
    columns: { state: 'created', ...PAID, ...soon },
    becomes: 'open: undecided 10000',
  },
  'a paid order': {
    columns: { state: 'captured', ...PAID },
    order: 'Processing',
    becomes: 'paid: order 10000',
  },
  'an order whose capture is pending': {
    columns: {
      state: 'captured',
      ...PROMISED,
      issue: 'capture_pending',
      ...soon,
    },
    order: 'Processing',
    becomes: 'paid: order 10000',
  },
  'an order whose money never came': {
    columns: {
      state: 'captured',
      ...PROMISED,
      issue: 'expired',
    },
    order: 'Processing',
    becomes: 'paid: order 10000 voided',
  },
  'an order of another amount': {
    columns: { state: 'captured', ...PAID, paid_minor: '9000', issue: 'amount_mismatch' },
    order: 'Processing',
    becomes: 'paid: order 9000',
  },
  'a resolved issue': {
    columns: {
      state: 'captured',
      ...PAID,
      issue: 'refunded_elsewhere',
      resolved_at: 'now()',
      resolution_note: 'Seen.',
    },
    order: 'Processing',
    becomes: 'paid: order 10000',
  },
  'money of a cancelled order': {
    columns: { state: 'captured', ...PAID },
    order: 'cancel',
    becomes: 'paid: order 10000',
  },
  'a disputed order': {
    columns: { state: 'captured', ...PAID },
    order: 'Processing',
    dispute: 'open',
    becomes: 'paid: order 10000',
  },
  'an order whose dispute was lost': {
    columns: { state: 'captured', ...PAID, disputed_minor: '10000', issue: 'dispute_lost' },
    order: 'Processing',
    dispute: 'lost',
    becomes: 'paid: order 10000',
  },
  'an order that is refunded in part': {
    columns: {
      state: 'refunded',
      ...PAID,
      refund_reason: 'Cracked',
      refund_minor: '3000',
      refunded_minor: '3000',
      refunded_at: 'now()',
      refund_id: 'rfnd',
    },
    order: 'Processing',
    becomes: 'paid: order 10000 (done 3000)',
  },
  'a second part that is in progress': {
    columns: {
      state: 'refund_pending',
      ...PAID,
      refund_reason: 'Cracked',
      refund_minor: '5000',
      refunded_minor: '3000',
      refund_accepted: 'true',
      ...soon,
    },
    order: 'Processing',
    becomes: 'paid: order 10000 (accepted 2000, done 3000)',
  },
  'a refund that the provider refuses': {
    columns: {
      state: 'refund_pending',
      ...PAID,
      refund_reason: 'Cracked',
      refund_refused: 'true',
      refund_attempt: '3',
      last_error: 'No balance.',
      ...soon,
    },
    order: 'Processing',
    becomes: 'paid: order 10000 (failed 10000)',
  },
  'money to be refunded': {
    columns: { state: 'refund_pending', ...REFUSED, ...soon },
    becomes: 'cancelled: nothing 10000 (pending 10000)',
  },
  'money that was refunded': {
    columns: { state: 'refunded', ...REFUSED, refunded_minor: '10000' },
    becomes: 'cancelled: nothing 10000 (done 10000)',
  },
  'refused money that never came': {
    columns: { state: 'failed', ...REFUSED, confirmed_at: 'null' },
    becomes: 'cancelled: nothing 10000 voided',
  },
  'a free order': {
    columns: { provider: 'none', amount_minor: '0', state: 'captured', ...PAID },
    order: 'Processing',
    becomes: 'paid: order 0',
  },
  'a free order that was refunded': {
    columns: {
      provider: 'none',
      amount_minor: '0',
      state: 'refunded',
      refund_reason: 'Cracked',
      ...PAID,
    },
    order: 'Processing',
    becomes: 'paid: order 0 (done 0)',
  },
}

const NAMES = Object.keys(FORMER)
const numbered = (prefix: string, at: number) =>
  `01890000-0000-7000-8000-${prefix}${String(at).padStart(11, '0')}`
const paymentId = (name: string) => numbered('1', NAMES.indexOf(name))
const SURPLUS = numbered('3', 0)
const USER = numbered('9', 0)

let shop: OpenDatabase
let folder: string
let listed: Map<string, unknown>

/** How the back office lists money and started payments: state, what came in and what was refunded. */
const listedBy = async (query: string) =>
  new Map(
    (await sql<{ id: string }>`${sql.raw(query)}`.execute(shop.db)).rows.map(({ id, ...shown }) => [
      id,
      shown,
    ]),
  )

/** A value of SQL: texts that are no expression are quoted. */
const value = (text: string) => (/[(]|^(null|true|\d+)$/.test(text) ? text : `'${text}'`)

async function insertFormer(name: string, { columns = {}, order, dispute }: Former) {
  const at = NAMES.indexOf(name)
  const row: Record<string, string> = {
    id: paymentId(name),
    user_id: USER,
    provider: 'sandbox',
    provider_order_id: `order_${at}`,
    amount_minor: '10000',
    currency: 'EUR',
    created_at: "now() - interval '10 minutes'",
    quote: '{"lines": [], "adjustments": []}',
    test: 'true',
    ...columns,
    ...('provider_payment_id' in columns && { provider_payment_id: `pay_${at}` }),
  }
  const values = Object.values(row).map(value).join(', ')
  await sql
    .raw(`insert into payments (${Object.keys(row).join(', ')}) values (${values})`)
    .execute(shop.db)
  if (order)
    await sql`
      insert into orders (id, payment_id, user_id, buyer_name, buyer_email, buyer_phone, buyer_address,
        total_minor, currency, status, test)
      values (${numbered('2', at)}, ${paymentId(name)}, ${USER}, 'Asha', '', '', '',
        ${Number(row.amount_minor)}, 'EUR', ${order}, true)`.execute(shop.db)
  if (dispute)
    await sql
      .raw(
        `insert into disputes (id, payment_id, state) values ('d${at}', '${paymentId(name)}', '${dispute}')`,
      )
      .execute(shop.db)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haat-upgrade-'))
  const former = ['0001_shop', '0002_nothing_owed', '0003_third_edition'].map((one) => `${one}.sql`)
  for (const file of [...former, 'released.sha256'])
    await cp(new URL(`./migrations/${file}`, import.meta.url), join(folder, file))
  shop = await openEmbedded(undefined)
  await migrate(shop.db, { folder: pathToFileURL(`${folder}/`) })
  await sql`insert into users (id, name, email, email_key, password_hash, answer_hash, phone, address)
    values (${USER}, 'Asha', 'a@example.com', 'a@example.com', '', '', '', '')`.execute(shop.db)
  for (const [name, one] of Object.entries(FORMER)) await insertFormer(name, one)
  await sql
    .raw(`do $$ begin
    insert into payments (id, user_id, surplus_of, provider, amount_minor, currency, state, refusal,
        refusal_code, provider_payment_id, received_at, confirmed_at, next_attempt_at)
      values ('${SURPLUS}', '${USER}', '${paymentId('a paid order')}', 'sandbox', 10000, 'EUR',
        'refund_pending', 'Paid twice.', 'payment_failed', 'pay_again', now(), now(), now());
    insert into unknown_payments (id, provider_payment_id, provider_order_id, amount_minor, currency)
      values ('${numbered('4', 0)}', 'pay_unknown', 'order_unknown', 500, 'EUR');
    end $$`)
    .execute(shop.db)
  listed = await listedBy(`
    select overview.id, state_of.state, coalesce(paid_minor, amount_minor)::integer as paid,
      refunded_minor::integer as refunded
    from payment_overview as overview join payments using (id)
      cross join lateral (select overview.state) as state_of
    union all
    select overview.id, overview.state, amount_minor::integer, 0
    from unknown_payment_overview as overview join unknown_payments using (id)`)
  await migrate(shop.db)
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true })
})

describe('a payment of 0.3.0', () => {
  it.each(Object.entries(FORMER))('that is %s keeps its money', async (name, { becomes }) => {
    const { rows } = await sql<{ is: string }>`
      select payments.state || coalesce((
        select ': ' || string_agg(purpose || ' ' || captures.amount_minor
          || case when voided_at is null then '' else ' voided' end || coalesce((
            select ' (' || string_agg(refunds.state || ' ' || refunds.amount_minor, ', '
              order by refunds.state) || ')'
            from refunds where capture_id = captures.id), ''), ', ')
        from captures where payment_id = payments.id and purpose <> 'nothing' or captures.id = payments.id),
        '') as is
      from payments where id = ${paymentId(name)}`.execute(shop.db)
    expect(rows).toEqual([{ is: becomes }])
  })

  it('is listed in the same state, with the same sums', async () => {
    const now = await listedBy(`
      select overview.id, overview.state, amount_minor::integer as paid, refunded_minor::integer as refunded
      from capture_overview as overview join captures using (id) cross join lateral refunds_of(id)
      union all
      select overview.id, overview.state, amount_minor::integer, 0
      from started_overview as overview join payments using (id)`)
    expect(Object.fromEntries(now)).toEqual(Object.fromEntries(listed))
  })

  it('has its second payment as money of its own', async () => {
    const { rows } = await sql`
      select payment_id, purpose, refunds.id, refunds.state
      from captures join refunds on capture_id = captures.id where captures.id = ${SURPLUS}`.execute(
      shop.db,
    )
    // the idempotency key of a request in flight has the id of the refund
    const refund = { id: SURPLUS, state: 'pending' }
    expect(rows).toEqual([{ payment_id: paymentId('a paid order'), purpose: 'nothing', ...refund }])
  })

  it('is free of contradictions, apart from the orders of this test, which have no lines', async () => {
    const { order_total, order_stock_unmarked: _, ...others } = await contradictionsIn(shop.db)
    expect(order_total?.length).toBeGreaterThan(0)
    expect(others).toEqual({})
  })
})
