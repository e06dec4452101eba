import { type Kysely, sql } from 'kysely'
import type { Schema } from '#db/schema.ts'
import { agreeOnWriting, rowOf, type Shape } from './shape.ts'
import type { Spool } from './spool.ts'

type Db = Kysely<Schema>

/** So many bytes of photos are read in one go, which keeps the others waiting for a moment. */
const PORTION = 500_000

/**
 * A photo is written once and never changed: another one in its place is another row, of another
 * transaction. So its key and that transaction name its bytes for good.
 */
const NAME = sql<string>`concat_ws(' ', product_id, width, format, xmin)`

export type Photo = { id: string; name: string; length: number }

/** All photos that are there, without their bytes. */
export async function listPhotos(db: Db): Promise<Photo[]> {
  const { rows } = await sql<Photo>`
    select product_id as id, ${NAME} as name, octet_length(bytes) as length
    from product_photos order by product_id, width, format`.execute(db)
  return rows
}

/** Neighbours, as many as one go may hold. */
function* portionsOf(photos: Photo[]) {
  let portion: Photo[] = []
  let length = 0
  for (const photo of photos) {
    if (length + photo.length > PORTION && portion.length > 0) {
      yield portion
      portion = []
      length = 0
    }
    portion.push(photo)
    length += photo.length
  }
  if (portion.length > 0) yield portion
}

async function keepPortion(db: Db, shape: Shape, photos: Photo[], spool: Spool) {
  const ids = [...new Set(photos.map(({ id }) => id))]
  const names = photos.map(({ name }) => name)
  const { rows } = await sql<{ name: string; row: string }>`
    select ${NAME} as name, ${rowOf(shape)} as row from product_photos
    where product_id = any(${ids}) and ${NAME} = any(${names})`.execute(db)
  for (const { name, row } of rows) await spool.keep(name, row)
}

/**
 * Reads all photos little by little, and lets others in between. Whatever is replaced meanwhile is
 * found missing later.
 */
export async function readAhead(db: Db, shape: Shape, spool: Spool): Promise<void> {
  for (const portion of portionsOf(await listPhotos(db)))
    await db.transaction().execute(async (tx) => {
      await agreeOnWriting(tx)
      await keepPortion(tx, shape, portion, spool)
    })
}

/** Reads those that were not there before; answers the names of all, in their order. */
export async function readRest(tx: Db, shape: Shape, spool: Spool): Promise<string[]> {
  const all = await listPhotos(tx)
  const missing = all.filter(({ name }) => !spool.has(name))
  for (const portion of portionsOf(missing)) await keepPortion(tx, shape, portion, spool)
  return all.map(({ name }) => name)
}
