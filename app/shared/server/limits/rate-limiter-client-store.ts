import { CompiledQuery } from 'kysely'
import type { Database } from '#db/schema.ts'

type Query = { text: string; values?: unknown[] }

/**
 * The client for RateLimiterPostgres, over the shop's own connections. It drops the names of
 * prepared statements, which a pooler in transaction mode (PgBouncer) does not know.
 */
export const rateLimiterClient = (db: Database) => ({
  async query({ text, values = [] }: Query) {
    const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
    return { rows, rowCount: rows.length }
  },
})
