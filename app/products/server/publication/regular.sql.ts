/** Prices as they are when no sale runs. `sale` is the table or alias that has the columns of a product's sale. */
import { sql } from 'kysely'

/** The price at the end of a running sale; one that was edited meanwhile stays. */
export const regularPrice = (table: string, sale = 'products') => {
  const price = sql.ref<number>(`${table}.price_minor`)
  return sql<number>`case when ${price} = ${sql.ref(`${sale}.sale_price_minor`)}
    then coalesce(${sql.ref(`${sale}.regular_price_minor`)}, ${price}) else ${price} end`
}

/** As `regularPrice`, of the price before a reduction. */
export const regularCompareAt = (table: string, sale = 'products') => {
  const before = sql.ref<number | null>(`${table}.compare_at_minor`)
  return sql<number | null>`case when ${before} = ${sql.ref(`${sale}.regular_price_minor`)}
    then ${sql.ref(`${sale}.regular_compare_at_minor`)} else ${before} end`
}
