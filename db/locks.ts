import { type RawBuilder, sql } from 'kysely'
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
  /** Of each buyer: starts and decisions, and the end of the account. Acquired before any row is locked. */
  buyer: 8,
} as const

type Lock = Exclude<(typeof LOCKS)[keyof typeof LOCKS], typeof LOCKS.buyer>

/** Acquires the lock, waiting until it is free. */
export const acquireLock = (tx: Database, lock: Lock) =>
  sql`select pg_advisory_xact_lock(${sql.lit(lock)}, 0)`.execute(tx)

/** Two buyers whose keys are equal wait for each other, which harms nobody. */
const buyerKey = (buyerId: RawBuilder<unknown>) =>
  sql`${sql.lit(LOCKS.buyer)}, hashtext(${buyerId}::text)`

/**
 * An expression that acquires the lock of a buyer, by the id as a `uuid`. One start of a payment, decision on money
 * or closing of the account holds it at a time. It is acquired where the expression is evaluated.
 */
export const buyerLock = (buyerId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`pg_advisory_xact_lock(${buyerKey(buyerId)})`

/** As `buyerLock`, for one that only keeps the account open: several hold it at a time. */
export const sharedBuyerLock = (buyerId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`pg_advisory_xact_lock_shared(${buyerKey(buyerId)})`

/** Acquires the lock of a buyer, waiting until it is free. */
export const lockBuyer = (tx: Database, buyerId: string) =>
  sql`select ${buyerLock(sql`${buyerId}::uuid`)}`.execute(tx)
