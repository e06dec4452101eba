import { sql } from 'kysely'
import { productsWithCode } from '#app/products/server/codes.sql.ts'
import { containing } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import type { Found } from '../admin-contract.ts'

/** How many of each kind are found. */
const MAX_FOUND = 5

/** The shortest text of which an index of trigrams finds any part. */
const MIN_PART = 3

/** Whether a folded column contains the text; of a short one, whether one of its words begins with it. */
function contains(column: string, text: string) {
  const pattern = containing(text)
  if ([...text].length >= MIN_PART) return sql<boolean>`${sql.ref(column)} like ${pattern}`
  return sql<boolean>`(${sql.ref(column)} like substr(${pattern}, 2)
    or ${sql.ref(column)} like '% ' || substr(${pattern}, 2))`
}

/** How many digits may follow those of a text. */
const MORE_DIGITS = 6

/** The order with this number, and then those whose number begins with it. */
export async function selectOrders(db: Database, number: number) {
  const powers = Array.from({ length: MORE_DIGITS + 1 }, (_, digits) => 10 ** digits)
  const ranges = powers
    .map((power) => [number * power, (number + 1) * power - 1])
    .filter(([, last]) => number > 0 && Number.isSafeInteger(last))
  const { rows } = await sql<OrderRow>`
    select found.* from unnest(
      ${ranges.map(([first]) => first)}::bigint[], ${ranges.map(([, last]) => last)}::bigint[]
    ) as range (first, last) cross join lateral (
      select id as _id, number, buyer_name as buyer, total_minor, currency from orders
      where number between first and last order by number limit ${MAX_FOUND}::integer
    ) as found order by number limit ${MAX_FOUND}::integer`.execute(db)
  return rows
}

type OrderRow = Omit<Found['orders'][number], 'total'> & { total_minor: number }

/** The fewest digits by which a phone number is found. */
const MIN_DIGITS = 5

/** Whether a phone number contains the digits of a text that is one; blanks and signs do not count. */
function isPhone(text: string) {
  const digits = text.replace(/\D/g, '')
  if (digits.length < MIN_DIGITS || !/^[+\d\s()/.-]+$/.test(text)) return sql<boolean>`false`
  return sql<boolean>`regexp_replace(phone, '\\D', '', 'g') like ${`%${digits}%`}`
}

/** The newest customers whose name, e-mail or phone contains a text; none whose account is closed. */
export const selectCustomers = (db: Database, text: string) =>
  db
    .selectFrom('users')
    .where((eb) => eb.or([contains('search', text), isPhone(text)]))
    .where('closed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(MAX_FOUND)
    .select(['id as _id', 'name', 'email'])
    .execute()

/** The newest products whose name contains a text, or one of whose variants has it as SKU or barcode. */
export const selectProducts = (db: Database, text: string) =>
  db
    .selectFrom('products')
    .where(
      sql<boolean>`id in (
        (select id from products where ${contains('name_folded', text)}
          order by id desc limit ${sql.lit(MAX_FOUND)})
        union all ${productsWithCode(text)})`,
    )
    .orderBy('id', 'desc')
    .limit(MAX_FOUND)
    .select(['id as _id', 'name', 'slug'])
    .execute()
