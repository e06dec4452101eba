import { sql } from 'kysely'
import type { Database } from './schema.ts'

/**
 * Every PostgreSQL advisory lock of the shop, by its number. A lock is the pair of this number and
 * a key, which is 0 where one lock is enough; each ends with the transaction that acquired it.
 */
export const LOCKS = {
  /** One import of products writes at a time. */
  productImport: 2,
  /** One process makes the photos of the demo. */
  demoPhotos: 5,
  /** Invoices get their numbers one after the other. */
  invoices: 6,
  /** One process migrates at a time. */
  migrations: 7,
} as const

type Lock = (typeof LOCKS)[keyof typeof LOCKS]

/** Acquires the lock, waiting until it is free. */
export const acquireLock = (tx: Database, lock: Lock) =>
  sql`select pg_advisory_xact_lock(${sql.lit(lock)}, 0)`.execute(tx)
