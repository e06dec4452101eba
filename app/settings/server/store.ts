import { type Insertable, sql } from 'kysely'
import type { Database, PhotoFormat, Schema } from '#db/schema.ts'

/** The columns that every page needs: all but slides and texts. */
const DISPLAYED = [
  'name',
  'tagline',
  'logo',
  'email',
  'phone',
  'toll_free',
  'address',
  'accent',
  'scheme',
  'currency_display',
  'locale',
  'time_zone',
  'low_stock',
  'price_bands',
] as const

/** Undefined before the first start. */
export const selectDisplayed = (db: Database) =>
  db
    .selectFrom('settings')
    .leftJoin('setting_pictures', 'setting_pictures.id', 'settings.logo')
    .select(DISPLAYED)
    .select(['setting_pictures.width as logo_width', 'setting_pictures.height as logo_height'])
    .executeTakeFirst()

export type DisplayedRow = NonNullable<Awaited<ReturnType<typeof selectDisplayed>>>

export const selectPriceBands = (db: Database) =>
  db.selectFrom('settings').select('price_bands').executeTakeFirst()

/** Whether the database knows a time zone. */
export async function isTimeZone(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from pg_timezone_names where name = ${name}) as known`.execute(db)
  return rows[0]?.known === true
}

export const selectSlides = (db: Database) =>
  db.selectFrom('settings').select('slides').executeTakeFirst()

export const selectTexts = (db: Database) =>
  db.selectFrom('settings').select(['about', 'contact', 'policy']).executeTakeFirst()

export const selectSettings = (db: Database) =>
  db.selectFrom('settings').selectAll().executeTakeFirst()

/** Does nothing when there is a row. */
export const insertSettings = (tx: Database, row: Insertable<Schema['settings']>) =>
  tx
    .insertInto('settings')
    .values(row)
    .onConflict((present) => present.doNothing())
    .execute()

/** The new revision; undefined when the row has another one than the given. */
export const updateSettings = (
  tx: Database,
  { revision, ...row }: Insertable<Schema['settings']> & { revision: number },
) =>
  tx
    .updateTable('settings')
    .set(row)
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('revision', '=', revision)
    .returning('revision')
    .executeTakeFirst()

export const updateName = (tx: Database, name: string) =>
  tx
    .updateTable('settings')
    .set((eb) => ({ name, revision: eb('revision', '+', 1) }))
    .execute()

/** Those of the pictures that are stored. */
export async function selectStoredPictures(db: Database, ids: string[]): Promise<string[]> {
  const rows = await db.selectFrom('setting_pictures').where('id', 'in', ids).select('id').execute()
  return rows.map(({ id }) => id)
}

export const selectPictureSize = (db: Database, id: string) =>
  db
    .selectFrom('setting_pictures')
    .where('id', '=', id)
    .select(['id', 'width', 'height'])
    .executeTakeFirst()

/** Stores a picture; the same one again becomes as young as a new one. */
export const insertPicture = (tx: Database, row: Insertable<Schema['setting_pictures']>) =>
  tx
    .insertInto('setting_pictures')
    .values(row)
    .onConflict((present) => present.column('id').doUpdateSet({ used_at: sql`now()` }))
    .execute()

export const insertVariants = (
  tx: Database,
  rows: Insertable<Schema['setting_picture_variants']>[],
) =>
  tx
    .insertInto('setting_picture_variants')
    .values(rows)
    .onConflict((present) => present.doNothing())
    .execute()

/** The variant in this format with the nearest width. Undefined when there is no such picture. */
export const selectVariant = (
  db: Database,
  { id, width, format }: { id: string; width: number; format: PhotoFormat },
) =>
  db
    .selectFrom('setting_picture_variants')
    .where('picture_id', '=', id)
    .where('format', '=', format)
    .orderBy((variant) => variant.fn('abs', [variant('width', '-', width)]))
    .limit(1)
    .select('bytes')
    .executeTakeFirst()

const IS_USED = sql`exists (
  select from settings
  where logo = setting_pictures.id
    or jsonb_path_exists(
      slides, '$[*] ? (@.picture == $id)', jsonb_build_object('id', setting_pictures.id)
    )
)`

/** Notes that the present settings use their pictures. */
export const touchUsedPictures = (tx: Database) =>
  sql`update setting_pictures set used_at = now() where ${IS_USED}`.execute(tx)

/** Deletes the pictures that no setting uses, and that none has used for a day. */
export const deleteUnusedPictures = (tx: Database) =>
  sql`
    delete from setting_pictures
    where used_at < now() - interval '1 day' and not ${IS_USED}`.execute(tx)
