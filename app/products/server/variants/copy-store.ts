/** Copying what a product has besides its own row: options, variants and photos. */
import { sql } from 'kysely'
import { listOf } from '#app/shared/server/store.ts'
import type { Database } from '#db/schema.ts'
import { COLUMNS } from './rows.ts'

/** The product that is copied, which is not changed until the transaction ends. */
export const lockCopied = (tx: Database, id: string) =>
  tx.selectFrom('products').select('id').where('id', '=', id).forShare().executeTakeFirst()

const { quantity: _, sku: _sku, barcode: _barcode, ...copiedColumns } = COLUMNS
/** The columns of the cells that a copy has, too. */
const COPIED = Object.values(copiedColumns)

type Copy = { from: string; to: string; withFirstPhoto: boolean; withVariants: boolean }

/** The condition of the photos that are copied; a new first photo is stored for the copy already. */
const isCopied = ({ withFirstPhoto }: Copy) => sql<boolean>`(position > 0 or ${withFirstPhoto})`

/** New ids of the values and photos; of the first photo the one that it has, where it is not copied. */
const ids = (copied: Copy) => sql`
  copied_values as materialized (
    select *, gen_random_uuid() as copy from option_values
    where product_id = ${copied.from}::uuid and ${copied.withVariants}
  ),
  copied_photos as materialized (
    select *, case when ${isCopied(copied)} then gen_random_uuid() else (
      select id from product_photos as made where product_id = ${copied.to}::uuid and made.position = 0) end as copy
    from product_photos where product_id = ${copied.from}::uuid
  )`

const options = ({ from, to, withVariants }: Copy) => sql`
  made_options as (
    insert into product_options (product_id, slot, position, name)
    select ${to}::uuid, slot, position, name from product_options
    where product_id = ${from}::uuid and ${withVariants}
  ),
  made_values as (
    insert into option_values (id, product_id, slot, position, name, swatch)
    select copy, ${to}::uuid, slot, position, name, swatch from copied_values
  )`

const photos = (copied: Copy) => sql`
  made_photos as (
    insert into product_photos (id, product_id, position, alt, version)
    select copy, ${copied.to}::uuid, position, alt, version from copied_photos where ${isCopied(copied)}
  ),
  made_pictures as (
    insert into pictures (photo_id, width, format, bytes)
    select copy, width, format, bytes
    from copied_photos join pictures on photo_id = copied_photos.id where ${isCopied(copied)}
  )`

/**
 * Gives a new product the photos of another one, with or without the first, and its options and variants where they
 * are wanted. The variants have no sale, no stock and no codes, which are of one thing each.
 */
export const copyParts = (tx: Database, copy: Copy) =>
  sql`
    with ${ids(copy)}, ${options(copy)}, ${photos(copy)}
    insert into variants (id, product_id, position, value1, value2, value3, photo_id, quantity, ${listOf(COPIED)})
    select gen_random_uuid(), ${copy.to}::uuid, variants.position, value1.copy, value2.copy, value3.copy,
      copied_photos.copy, 0, ${listOf(COPIED)}
    from variants
      left join copied_values as value1 on value1.id = variants.value1
      left join copied_values as value2 on value2.id = variants.value2
      left join copied_values as value3 on value3.id = variants.value3
      left join copied_photos on copied_photos.id = variants.photo_id
    where variants.product_id = ${copy.from}::uuid and ${copy.withVariants}`.execute(tx)
