import { type RawBuilder, sql } from 'kysely'
import { dayOf } from '#app/shared/server/settings/day-store.ts'
import { PAYMENT_METHODS, type PaymentMethod } from '../contract.ts'

/** The way in which an order is paid without a provider. */
export type ByHand = {
  method: PaymentMethod
  name: string
  /** While it is not paid in full: until when it is to be, in the shop's time zone. */
  due: { day: string; is_late: boolean } | null
}

/** The same of a row of payments, by its alias, as JSON; null where a provider takes the money. */
export function byHand(payment: string): RawBuilder<ByHand | null> {
  const [provider, state, dueAt] = ['provider', 'state', 'due_at'].map((column) =>
    sql.ref(`${payment}.${column}`),
  ) as [RawBuilder<string>, RawBuilder<string>, RawBuilder<Date>]
  const name = sql`(select payment_methods -> ${provider} ->> 'name' from settings where name = 'shop')`
  // how the money came in, where an admin has entered it with that
  const receivedAs = sql`(select received_as from captures
    where payment_id = ${sql.ref(`${payment}.id`)} and received_as is not null order by captures.id limit 1)`
  return sql`case when ${provider} = any(${[...PAYMENT_METHODS]}::text[]) then jsonb_build_object(
    'method', ${provider},
    'name', coalesce(case ${receivedAs} when 'cash' then 'Cash' when 'card_terminal' then 'Card'
      when 'transfer' then 'Bank transfer' end, ${name}, ${provider}),
    'due', case when ${state} = 'owed' then
      jsonb_build_object('day', ${dayOf(dueAt)}, 'is_late', ${dueAt} <= now()) end) end`
}
