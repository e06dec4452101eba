/** The list of payments by their states, of money in every condition that the database admits. */
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { PAYMENT_STATES } from '#app/payments/admin-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

/** Combinations of these facts; `n` numbers them. Undecided money is decided, not resolved. */
const CONDITIONS = sql`
  select row_number() over () as n, gen_random_uuid() as payment_id, gen_random_uuid() as capture_id, facts.*
  from (
    select * from unnest(array['order', 'nothing', 'undecided', 'unknown']) as purpose,
      unnest(array[null, 'amount_mismatch', 'paid_cancelled']) as issue,
      unnest(array['confirmed', 'voided', 'authorised']) as money,
      unnest(array[null, 'done', 'pending', 'accepted', 'failed', 'given_up']) as refund,
      unnest(array[100, 40]) as refund_minor,
      unnest(array[false, true]) as resolved,
      unnest(array[false, true]) as disputed,
      unnest(array[false, true]) as cancelled,
      unnest(array[false, true]) as polled
    where (refund = 'done' or refund_minor = 100) and (refund is null or not disputed)
      and (money <> 'confirmed' or not polled) and (purpose = 'order' or not cancelled)
      and (purpose <> 'undecided' or not resolved)
  ) as facts`

const fill = (buyer: string) => sql`
  with conditions as materialized (${CONDITIONS}),
  paid as (
    insert into payments (id, user_id, provider, provider_order_id, amount_minor, currency, state, attempts, next_attempt_at)
    select payment_id, ${buyer}::uuid, 'sandbox', 'order_' || n, 100, 'INR', 'paid', polled::integer,
      case when polled then now() end
    from conditions where purpose <> 'unknown'
  ),
  captured as (
    insert into captures (id, payment_id, provider, provider_payment_id, amount_minor, currency, purpose, issue,
      confirmed_at, voided_at, resolved_at, resolution_note, refusal, refusal_code)
    select capture_id, case when purpose <> 'unknown' then payment_id end, 'sandbox', 'pay_' || n, 100, 'INR', purpose, issue,
      case money when 'confirmed' then now() end, case money when 'voided' then now() end,
      case when resolved then now() end, case when resolved then 'Done' end,
      case purpose when 'nothing' then 'Sold out' end, case purpose when 'nothing' then 'out_of_stock' end
    from conditions
  ),
  refunded as (
    insert into refunds (id, capture_id, amount_minor, reason, state, done_at, next_attempt_at)
    select gen_random_uuid(), capture_id, refund_minor, 'As asked', refund, case refund when 'done' then now() end,
      case when refund in ('pending', 'accepted', 'failed') then now() end
    from conditions where refund is not null
  ),
  contested as (
    insert into disputes (id, capture_id, state)
    select 'dispute_' || n, capture_id, 'open' from conditions where disputed
  )
  insert into orders (id, payment_id, user_id, total_minor, currency, status,
    buyer_name, buyer_email, buyer_phone, buyer_address)
  select gen_random_uuid(), payment_id, ${buyer}::uuid, 100, 'INR',
    case when cancelled then 'cancel' else 'Processing' end, '', '', '', ''
  from conditions where purpose = 'order'`

it('each payment is listed in its state, and counted in no other', async () => {
  const { id, token } = await addPerson(shop.db, { admin: true })
  await fill(id).execute(shop.db)
  await sql`analyze`.execute(shop.db)
  const { rows } = await sql<{ state: string; payments: number }>`
    select state, count(*)::integer as payments from capture_overview group by state`.execute(
    shop.db,
  )
  expect(rows.length).toBeGreaterThanOrEqual(12)
  const expected = Object.fromEntries(rows.map(({ state, payments }) => [state, payments]))
  for (const state of PAYMENT_STATES) {
    const { headers, body } = await shop.get<{ state: string }[]>(
      `/payment/payments?state=${state}`,
      { token },
    )
    const total = Number(headers['x-total-count'])
    expect([state, total]).toEqual([state, expected[state] ?? 0])
    expect(body.map((payment) => payment.state)).toEqual(Array(Math.min(total, 50)).fill(state))
  }
})
