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

/** The photos of a product without those of other variants, the variant's own first. */
function photosOf(
  { id, photos }: CatalogueRow,
  { photo_id }: CatalogueVariant,
  variants: CatalogueVariant[],
): string[] {
  const ofVariants = new Set(variants.map((variant) => variant.photo_id))
  const shown = photos.map((photo, at) => ({
    ...photo,
    url: photoUrls(id, photos, PHOTO_WIDTH)[at],
  }))
  const others = shown.filter((photo) => !ofVariants.has(photo.id))
  const own = shown.filter((photo) => photo.id === photo_id)
  const urls = [...own, ...others].flatMap(({ url }) => url ?? [])
  // a variant without a photo of its own shows the first one
  return urls.length > 0 ? urls : photoUrls(id, photos.slice(0, 1), PHOTO_WIDTH)
}

/** A product as each of its variants; that of a product without options is the product itself. */
export const offersOf = (row: CatalogueRow, variants: CatalogueVariant[]): OfferedVariant[] =>
  variants.map((variant) => offeredAs(row, variant, variants))

function offeredAs(row: CatalogueRow, variant: CatalogueVariant, variants: CatalogueVariant[]) {
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
    /** The paths of its photos. */
    photoPaths: photosOf(row, variant, variants),
  }
}
export type OfferedVariant = ReturnType<typeof offeredAs>
