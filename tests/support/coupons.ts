import { v7 as uuidv7 } from 'uuid'
import type { Quote } from '#app/checkout/contract.ts'
import type { Database, Row } from '#db/schema.ts'
import type { Person } from './accounts.ts'
import type { TestShop } from './shop.ts'

/** Inserts a coupon into the database; by default it takes 10 % off everything. */
export const addCoupon = (
  db: Database,
  facts: Partial<Omit<Row<'coupons'>, 'code_key'>> & { code: string },
): Promise<Row<'coupons'>> =>
  db
    .insertInto('coupons')
    .values({
      id: uuidv7(),
      percent: facts.amount_minor === undefined ? 10 : null,
      ...facts,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** The quote of a cart with coupon codes, for a guest or a person. */
export const quotes =
  (shop: TestShop) =>
  async (cart: { _id: string }[], couponCodes: string[], person?: Person, from?: string) =>
    (
      await shop.post<Quote>('/checkout/quote', {
        body: { cart, couponCodes },
        ...(person && { token: person.token }),
        ...(from !== undefined && { from }),
      })
    ).body

/** The counted uses of a coupon, which are its recorded ones. */
export async function usesOf({ db }: TestShop, { id }: { id: string }): Promise<number> {
  const { uses } = await db
    .selectFrom('coupons')
    .where('id', '=', id)
    .select('uses')
    .executeTakeFirstOrThrow()
  const rows = await db.selectFrom('coupon_uses').where('coupon_id', '=', id).selectAll().execute()
  if (rows.length !== uses) throw new Error(`${uses} uses are counted, ${rows.length} recorded.`)
  return uses
}
