/** Photos as the API has them. */
import type { DetailedProduct, ShownPhoto } from '#app/products/contract.ts'
import type { PhotoRow } from './store.ts'

export const presentPhotos = (photos: PhotoRow[]): ShownPhoto[] =>
  photos.map(({ id, alt, version }) => ({ _id: id, photo: version, ...(alt && { alt }) }))

export type Photographed = { photos: PhotoRow[]; variant_photos: Record<string, string> | null }

/** The photos of a product, where it has any, and its variants with the places of theirs. */
export function presentPhotographed(
  { photos, variant_photos: chosen }: Photographed,
  { variants }: Pick<DetailedProduct, 'variants'>,
): Pick<DetailedProduct, 'photos' | 'variants'> {
  if (photos.length === 0) return {}
  const places = new Map(photos.map(({ id }, at) => [id, at]))
  return {
    photos: presentPhotos(photos),
    ...(variants &&
      chosen && {
        variants: variants.map((variant) => {
          const photo = places.get(chosen[variant._id] ?? '')
          return photo === undefined ? variant : { ...variant, photo }
        }),
      }),
  }
}
