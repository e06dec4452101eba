/** What search engines and feeds say of a variant. */
import { productPath } from '#app/products/contract.ts'
import { photoUrls } from '#app/products/photo-contract.ts'
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

/** The width in pixels of the photos that search engines get. */
const PHOTO_WIDTH = 1280

/** A product as each of its variants; that of a product without options is the product itself. */
export function offersOf(row: CatalogueRow, variants: CatalogueVariant[]): OfferedVariant[] {
  const photos = photoUrls(row.id, row.photos, PHOTO_WIDTH).map((path, at) => ({
    path,
    id: row.photos[at]?.id,
  }))
  const ofVariants = new Set(variants.map(({ photo_id }) => photo_id ?? undefined))
  const common = photos.filter(({ id }) => !ofVariants.has(id))
  return variants.map((variant) => {
    const shown = [...photos.filter(({ id }) => id === variant.photo_id), ...common]
    // where each photo is that of another variant, the first one
    const seen = shown.length > 0 ? shown : photos.slice(0, 1)
    return offeredAs(
      row,
      variant,
      seen.map(({ path }) => path),
    )
  })
}

function offeredAs(row: CatalogueRow, variant: CatalogueVariant, photoPaths: string[]) {
  const { price_minor, before_minor, quantity, weight_grams, sku, barcode, options } = variant
  return {
    ...row,
    price_minor,
    before_minor,
    quantity,
    weight_grams,
    sku,
    barcode,
    id: options ? variant.id : row.id,
    name: nameOfVariant({ name: row.name, options }),
    path: productPath(row) + (options ? `?variant=${variant.id}` : ''),
    /** The product of several items; null for a product that is one. */
    group: options ? row.id : null,
    known: knownOptionsOf(variant),
    /** Its own photo, then those of no other variant. */
    photoPaths,
  }
}
export type OfferedVariant = ReturnType<typeof offeredAs>
