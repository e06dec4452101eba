/** What must hold in the database, whatever was sent. */
import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '#db/schema.ts'

/** Each answers the rows that break a rule which no constraint can keep alone. */
const BROKEN = {
  'counted products': sql`
    select category_id, price_band, products from product_counts where products <> 0
    except select category_id, price_band(price_minor), count(*) from products group by 1, 2`,
  'uncounted products': sql`
    select category_id, price_band(price_minor), count(*) from products group by 1, 2
    except select category_id, price_band, products from product_counts`,
  'counted orders': sql`
    select status, sum(orders) from order_counts group by 1 having sum(orders) <> 0
    except select status, count(*) from orders group by 1`,
  'products that run low': sql`
    (select id, quantity from products where quantity <= 5 except table running_low)
    union all (table running_low except select id, quantity from products)`,
  'orders that are not the sum of their lines': sql`
    select id from orders where total_minor <>
      (select sum(quantity * price_minor) from order_lines where order_id = orders.id)`,
  'orders without money': sql`
    select id from orders where not exists
      (select from provider_payments p where p.payment_id = orders.payment_id and state = 'kept')`,
}

/** Throws where the figures, the stock or the money do not fit each other. */
export async function expectConsistency(db: Database) {
  for (const [what, query] of Object.entries(BROKEN)) {
    expect((await query.execute(db)).rows, what).toEqual([])
  }
}

/** Those who may do everything, by their ids. */
export async function adminsOf(db: Database): Promise<string[]> {
  const admins = await db.selectFrom('users').where('is_admin', '=', true).select('id').execute()
  return admins.map(({ id }) => id).sort()
}
