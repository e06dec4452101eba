import { type RawBuilder, sql } from 'kysely'
import { modules } from '#app/modules.ts'
import { selectViolations } from '#app/shared/server/invariant-store.ts'
import type { Database } from '#db/schema.ts'

/** Every invariant of the domains. */
export const INVARIANTS = modules.flatMap((module) => module.invariants ?? [])

/** The ids of the rows that break an invariant, by its name; `{}` when all invariants hold. */
export async function contradictionsIn(db: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  for (const invariant of INVARIANTS) {
    const ids = await selectViolations(db, invariant)
    if (ids.length > 0) found[invariant.name] = ids
  }
  return found
}

/** The pieces of a product: free, reserved by payments, and sold without being returned. */
export type Pieces = { id: string; free: number; reserved: number; sold: number }

export const PIECES: RawBuilder<Pieces> = sql`
  select products.id::text as id, products.quantity as free,
    (select coalesce(sum((line ->> 'quantity')::integer), 0)::integer
      from payments, jsonb_array_elements(quote -> 'lines') as line
      where state = 'created' and reserved_until is not null
        and line ->> 'product_id' = products.id::text) as reserved,
    (select coalesce(sum(line.quantity), 0)::integer
      from order_lines line join orders on orders.id = order_id
      where line.product_id = products.id and stock_returned_at is null) as sold
  from products`

/** The pieces of every product. */
export const piecesOf = async (db: Database): Promise<Pieces[]> => (await PIECES.execute(db)).rows
