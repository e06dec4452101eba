/** The columns of options and variants that the page of a product has. */
import { type RawBuilder, sql } from 'kysely'
import type { ProductOption } from '#app/products/variant-contract.ts'
import { priceBefore, priceOf } from './price.sql.ts'
import { OPTIONS } from './store.ts'

type VariantColumns = [
  id: string,
  values: (string | null)[],
  price_minor: number,
  before_minor: number | null,
  quantity: number,
  is_listed: boolean,
]

/**
 * What there is to choose of a product: its options, each with the number of its values, whether a variant is in stock,
 * and whether one costs more than the listed one.
 */
export type Choices = {
  options: { name: string; count: number }[]
  inStock: boolean
  isFrom: boolean
}

/** The column of `Choices`, in a statement on products; null without options. */
export const CHOICES = sql<Choices | null>`
  (select jsonb_build_object(
      'options', jsonb_agg(jsonb_build_object('name', name, 'count', (
        select count(*) from option_values
        where (option_values.product_id, option_values.slot) = (product_options.product_id, product_options.slot)
      )) order by position),
      'inStock', products.in_stock,
      'isFrom', exists (
        select from variants where variants.product_id = products.id and ${priceOf()} > list_price_minor))
  from product_options where product_options.product_id = products.id having count(*) > 0)`

/** What a statement reads of options and variants; without options there are no variants to choose from. */
export type Choosable = { options: ProductOption[]; variants: VariantColumns[] | null }

/** The columns of `Choosable`, in a statement on products. */
export const CHOOSABLE = [
  OPTIONS.as('options'),
  sql<VariantColumns[] | null>`case when has_options then (
      select jsonb_agg(jsonb_build_array(id, jsonb_build_array(value1, value2, value3), ${priceOf()},
        ${priceBefore()}, quantity, id = listed_variant_id) order by position, id)
      from variants where product_id = products.id) end`.as('variants'),
] as const satisfies readonly ReturnType<RawBuilder<unknown>['as']>[]
