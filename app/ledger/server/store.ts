import { type ExpressionBuilder, sql } from 'kysely'
import { ACTOR_KINDS, type LedgerFilter, MOST_COUNTED } from '#app/ledger/admin-contract.ts'
import { startOfDay } from '#app/shared/server/day/day-store.ts'
import type { Database, Schema } from '#db/schema.ts'

type Filter = Omit<LedgerFilter, 'page' | 'object'> & { objects: string[] }

const by = (eb: ExpressionBuilder<Schema, 'ledger'>, actor: string) => {
  const kind = ACTOR_KINDS.find((one) => one === actor)
  return kind ? eb('ledger.actor_kind', '=', kind) : eb('ledger.actor_id', '=', actor)
}

const among =
  ({ objects, kind, actor, from, to }: Filter) =>
  (eb: ExpressionBuilder<Schema, 'ledger'>) => {
    const [object, ...others] = objects
    return eb.and([
      // one alone is read in its order; of several, all are read and sorted
      ...(object && others.length === 0 ? [eb('ledger.object_id', '=', object)] : []),
      ...(object && others.length > 0 ? [eb('ledger.object_id', 'in', objects)] : []),
      ...(kind ? [eb('ledger.object_kind', '=', kind)] : []),
      ...(actor ? [by(eb, actor)] : []),
      ...(from ? [eb('ledger.at', '>=', startOfDay(from))] : []),
      ...(to ? [eb('ledger.at', '<', startOfDay(to, 1))] : []),
    ])
  }

/** What a thing that is gone was called last. */
const lastName = sql`(
  select former.before ->> 'name' from ledger as former
  where former.object_id = ledger.object_id and former.action = 'delete'
  order by former.at desc, former.id desc limit 1)`

/** A product, a category, a user; an order's and a payment's buyer, or money that is unknown here. */
const name = sql<string | null>`case ledger.object_kind
  when 'product' then coalesce(products.name, ${lastName})
  when 'category' then coalesce(categories.name, ${lastName})
  when 'order' then orders.buyer_name
  when 'money' then coalesce(persons.name, coalesce(ledger.after, ledger.before) ->> 'id')
  else persons.name end`

/** Of a payment that is gone. */
const buyer = sql<string>`(coalesce(ledger.before, ledger.after) ->> 'user_id')::uuid`

/** A page of the entries, newest first, with what their objects and actors are called. */
export const selectEntries = (
  db: Database,
  filter: Filter,
  { limit, offset }: { limit: number; offset: number },
) =>
  db
    .selectFrom('ledger')
    .leftJoin('users as actors', 'actors.id', 'ledger.actor_id')
    .leftJoin('products', 'products.id', 'ledger.object_id')
    .leftJoin('categories', 'categories.id', 'ledger.object_id')
    .leftJoin('orders', 'orders.id', 'ledger.object_id')
    .leftJoin('payments', 'payments.id', 'ledger.object_id')
    .leftJoin('users as persons', (join) =>
      join.on(({ eb, fn, ref }) =>
        eb('persons.id', '=', fn.coalesce('payments.user_id', buyer, ref('ledger.object_id'))),
      ),
    )
    .where('ledger.id', 'in', (eb) =>
      eb
        .selectFrom('ledger')
        .where(among(filter))
        .select('ledger.id')
        .orderBy('ledger.at', 'desc')
        .orderBy('ledger.id', 'desc')
        .limit(limit)
        .offset(offset),
    )
    .orderBy('ledger.at', 'desc')
    .orderBy('ledger.id', 'desc')
    .selectAll('ledger')
    .select(['actors.name as actor_name', 'products.slug', name.as('name')])
    .execute()

export type EntryRow = Awaited<ReturnType<typeof selectEntries>>[number]

/** How many entries there are; past `MOST_COUNTED`, that many. */
export async function countEntries(db: Database, filter: Filter): Promise<number> {
  const { total } = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('ledger')
        .select('ledger.id')
        .where(among(filter))
        .limit(MOST_COUNTED)
        .as('counted'),
    )
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** The payment that an order was made by; undefined when that is no order's id. */
export async function selectPaymentOf(db: Database, id: string): Promise<string | undefined> {
  const order = await db
    .selectFrom('orders')
    .select('payment_id')
    .where('id', '=', id)
    .executeTakeFirst()
  return order?.payment_id
}

type Cause = { entry: number; kind: 'hold' | 'order'; id: string; action: EntryRow['action'] }

/** What, in the same transactions, held, sold or gave back pieces of these entries' products. */
export async function selectCauses(db: Database, entries: number[]): Promise<Cause[]> {
  if (entries.length === 0) return []
  const { rows } = await sql<Cause>`
    select ledger.id as entry, cause.object_kind as kind, cause.object_id as id, cause.action
    from ledger join ledger as cause
      on cause.object_kind in ('hold', 'order') and cause.transaction = ledger.transaction
      -- what a hold that ended held was told when it began
      and coalesce(cause.after, (select begun.after from ledger as begun
        where begun.object_id = cause.object_id and begun.object_kind = 'hold'
          and begun.action = 'create' limit 1)) @> jsonb_build_object(
        'lines', jsonb_build_array(jsonb_build_object('product_id', ledger.object_id)))
      -- a restored shop may count its transactions anew
      and cause.at between ledger.at - interval '1 hour' and ledger.at + interval '1 hour'
    where ledger.id = any(${entries}::bigint[])
    order by cause.id`.execute(db)
  return rows
}

/** What these categories are called. */
export const selectCategoryNames = async (db: Database, ids: string[]) =>
  ids.length === 0
    ? []
    : db.selectFrom('categories').select(['id', 'name']).where('id', 'in', ids).execute()

/** What these products are called, as long as they are there. */
export const selectProductNames = async (db: Database, ids: string[]) =>
  ids.length === 0
    ? []
    : db.selectFrom('products').select(['id', 'name']).where('id', 'in', ids).execute()
