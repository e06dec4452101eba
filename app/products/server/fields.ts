/** How the fields of a product are stored. */
import type { Insertable } from 'kysely'
import type { ProductForm } from '#app/products/form-contract.ts'
import { givenPrice } from '#app/shared/server/input/given-money.ts'
import type { Row, Schema } from '#db/schema.ts'
import type { ProductDetails } from '../contract.ts'
import type { Offer } from './store.ts'

/** The columns of the details, which are null without a value. */
export type DetailColumns = Pick<Row<'products'>, 'tax_class_id'> &
  Pick<Row<'variants'>, 'weight_grams'>

/** The details that have a value. */
export const detailsOf = ({ weight_grams, tax_class_id }: DetailColumns): ProductDetails => ({
  ...(weight_grams !== null && { weightGrams: weight_grams }),
  ...(tax_class_id !== null && { taxClass: tax_class_id }),
})

/** The columns of the form that products have. */
type FormColumns = Omit<
  Insertable<Schema['products']>,
  'id' | 'slug' | 'listed_variant_id' | 'created_at' | 'updated_at'
>

/** The columns of products of the fields that were sent: Kysely ignores undefined. An empty detail is null. */
export function columnsOf(form: ProductForm): FormColumns
export function columnsOf(form: Partial<ProductForm>): Partial<FormColumns>
export function columnsOf(form: Partial<ProductForm>): Partial<FormColumns> {
  const { name, description, category, shipping, taxClass } = form
  return {
    name: name?.trim(),
    description: description?.trim(),
    category_id: category,
    shipping: shipping === undefined ? undefined : shipping === 1,
    tax_class_id: taxClass === '' ? null : taxClass,
  }
}

/**
 * The price and the weight of the fields that were sent, as a variant has them. The quantity depends on the one that is
 * stored. Throws `invalid` for a price that `priceProblem` refuses.
 */
export function offerOf(form: ProductForm, currency: string): Offer & { price_minor: number }
export function offerOf(form: Partial<ProductForm>, currency: string): Offer
export function offerOf({ price, weightGrams }: Partial<ProductForm>, currency: string): Offer {
  return {
    price_minor: price === undefined ? undefined : givenPrice(price, currency, 'price'),
    weight_grams: weightGrams === '' ? null : weightGrams,
  }
}
