/** How the fields of a product are stored. */
import type { Insertable } from 'kysely'
import type { ProductForm } from '#app/products/admin-contract.ts'
import { toMinor } from '#app/shared/server/minor-units.ts'
import type { Row, Schema } from '#db/schema.ts'
import { ProductDetails } from '../contract.ts'

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

type DetailName = keyof ProductDetails
/** The column of a detail: its name in snake case. */
type ColumnOf<Name extends DetailName> = Name extends 'taxClass' ? 'tax_class_id' : SnakeCase<Name>

/** The columns of the details, which are null without a value. */
export type DetailColumns = Pick<Row<'products'>, ColumnOf<DetailName>>

const columnOf = (name: DetailName) =>
  (name === 'taxClass'
    ? 'tax_class_id'
    : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) as ColumnOf<DetailName>

const DETAIL_NAMES = Object.keys(ProductDetails.properties) as DetailName[]

export const DETAIL_COLUMNS = DETAIL_NAMES.map(columnOf)

/** The details that have a value. */
export const detailsOf = (row: DetailColumns): ProductDetails =>
  Object.fromEntries(
    DETAIL_NAMES.map((name) => [name, row[columnOf(name)]] as const).filter(
      ([, value]) => value !== null,
    ),
  )

/** The columns of the form without the quantity, which depends on the one that is stored. */
type FormColumns = Omit<
  Insertable<Schema['products']>,
  'id' | 'slug' | 'quantity' | 'photo_version' | 'created_at' | 'updated_at'
>

/** A text without blanks around it; null for an empty one. */
const storedDetail = (value: string | number | undefined) =>
  typeof value === 'string' ? value.trim() || null : value

/** The columns of the fields that were sent: Kysely ignores undefined. An empty detail is null. */
export function columnsOf(form: ProductForm): FormColumns
export function columnsOf(form: Partial<ProductForm>): Partial<FormColumns>
export function columnsOf(form: Partial<ProductForm>): Partial<FormColumns> {
  const { name, description, price, category, shipping } = form
  const details = DETAIL_NAMES.map(
    (detail) => [columnOf(detail), storedDetail(form[detail])] as const,
  )
  return {
    name: name?.trim(),
    description: description?.trim(),
    price_minor: price === undefined ? undefined : toMinor(price),
    category_id: category,
    shipping: shipping === undefined ? undefined : shipping === 1,
    ...Object.fromEntries(details),
  }
}
