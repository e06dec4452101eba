/** What search engines and feeds say of a variant. */
import { productPath } from '#app/products/contract.ts'
import type { CatalogueRow } from '#app/products/server/catalogue.sql.ts'
import type { CatalogueVariant } from '#app/products/server/variants/catalogue.sql.ts'
import { nameOfVariant } from '#app/products/variant-model.ts'

/** The names of options that schema.org and Google know, as merchants spell them. */
const KNOWN_OPTIONS: Record<string, 'color' | 'size' | 'material' | 'pattern'> = {
  color: 'color',
  colour: 'color',
  size: 'size',
  material: 'material',
  pattern: 'pattern',
}

const nameOf = (option: string) => KNOWN_OPTIONS[option.trim().toLowerCase()]

/** The options of a variant that search engines know, such as `color`. */
export const knownOptionsOf = ({ options }: CatalogueVariant) =>
  (options ?? []).flatMap(({ name, value }) => {
    const known = nameOf(name)
    return known ? [{ name: known, value }] : []
  })

/** A product as one of its variants; that of a product without options is the product itself. */
export function offeredAs(row: CatalogueRow, variant: CatalogueVariant) {
  const { price_minor, compare_at_minor, quantity, weight_grams, sku, barcode, options } = variant
  const isReduced = compare_at_minor !== null && compare_at_minor > price_minor
  return {
    ...row,
    price_minor,
    quantity,
    weight_grams,
    sku,
    barcode,
    id: options ? variant.id : row.id,
    name: nameOfVariant({ name: row.name, options }),
    path: productPath(row) + (options ? `?variant=${variant.id}` : ''),
    /** The product of several items; null for a product that is one. */
    group: options ? row.id : null,
    /** The price before a reduction. */
    before_minor: isReduced ? compare_at_minor : null,
    known: knownOptionsOf(variant),
  }
}
export type OfferedVariant = ReturnType<typeof offeredAs>
