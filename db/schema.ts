import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Schema } from './schema.generated.ts'

export type { StoredAddress, StoredQuote } from './column-types.ts'
export type { Schema } from './schema.generated.ts'

export const PHOTO_FORMATS = ['avif', 'webp', 'jpeg'] as const
export type PhotoFormat = (typeof PHOTO_FORMATS)[number]

/** The database or a transaction of it: the first argument of every store function. */
export type Database = Kysely<Schema> | Transaction<Schema>
export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>
