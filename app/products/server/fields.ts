/** How the fields of a product are stored. */
import type { Insertable } from 'kysely'
import type { ProductForm } from '#app/products/admin-contract.ts'
import { givenPrice } from '#app/shared/server/input/given-money.ts'
import type { Row, Schema } from '#db/schema.ts'
import type { ProductDetails } from '../contract.ts'

/** The columns of the details, which are null without a value. */
const COLUMNS = {
  weightGrams: 'weight_grams',
  taxClass: 'tax_class_id',
} as const satisfies Record<keyof ProductDetails, keyof Row<'products'>>

export const DETAIL_COLUMNS = Object.values(COLUMNS)
export type DetailColumns = Pick<Row<'products'>, (typeof DETAIL_COLUMNS)[number]>

const DETAILS = Object.entries(COLUMNS) as [keyof ProductDetails, keyof DetailColumns][]

/** The details that have a value. */
export const detailsOf = (row: DetailColumns): ProductDetails =>
  Object.fromEntries(
    DETAILS.map(([name, column]) => [name, row[column]]).filter(([, value]) => value !== null),
  )

/** The columns of the form without the quantity, which depends on the one that is stored. */
type FormColumns = Omit<
  Insertable<Schema['products']>,
  'id' | 'slug' | 'quantity' | 'created_at' | 'updated_at'
>

/**
 * The columns of the fields that were sent: Kysely ignores undefined. An empty detail is null.
 * Throws `invalid` for a price that `priceProblem` refuses.
 */
export function columnsOf(form: ProductForm, currency: string): FormColumns
export function columnsOf(form: Partial<ProductForm>, currency: string): Partial<FormColumns>
export function columnsOf(form: Partial<ProductForm>, currency: string): Partial<FormColumns> {
  const { name, description, price, category, shipping } = form
  return {
    name: name?.trim(),
    description: description?.trim(),
    price_minor: price === undefined ? undefined : givenPrice(price, currency, 'price'),
    category_id: category,
    shipping: shipping === undefined ? undefined : shipping === 1,
    ...Object.fromEntries(
      DETAILS.map(([detail, column]) => [column, form[detail] === '' ? null : form[detail]]),
    ),
  }
}
