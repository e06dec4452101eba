import type { Database, PhotoFormat } from '#db/schema.ts'

/**
 * The version of a product's photo, and its variant in this format with the nearest width (the
 * same, or the largest stored). One query, so that bytes never travel under another version.
 * Undefined when there is no such product; `bytes` is null when it has no photo.
 */
export const selectPhoto = (
  db: Database,
  { id, width, format }: { id: string; width: number; format: PhotoFormat },
) =>
  db
    .selectFrom('products')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('product_photos')
          .select('bytes')
          .whereRef('product_id', '=', 'products.id')
          .where('format', '=', format)
          .orderBy((photo) => photo.fn('abs', [photo('width', '-', width)]))
          .limit(1)
          .as('photo'),
      (join) => join.onTrue(),
    )
    .where('products.id', '=', id)
    .select(['products.photo_version as version', 'photo.bytes'])
    .executeTakeFirst()
