import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { openAccount, signIn } from '#app/accounts/server/service.ts'
import { noCounters } from '#app/shared/server/limits/counters.ts'
import { seed } from '#bench/seed/seed.ts'
import { openDatabase } from '#db/connect.ts'
import { migrate } from '#db/migrate.ts'
import type { Schema } from '#db/schema.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { startPostgres } from '#tests/support/postgres.ts'
import { type Watched, watch } from '../memory.ts'
import { type Get, type Measured, measureLists, type Samples } from './lists.ts'

export const COUNT = 100_000

const DAY = 24 * 60 * 60 * 1000
const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10)

async function signInAdmin(db: Kysely<Schema>): Promise<string> {
  const who = { email: 'bench@example.com', password: randomUUID() }
  const rest = { name: 'Bench', phone: '-', address: '-', answer: randomUUID() }
  await openAccount(db, { ...who, ...rest }, { admin: true })
  return (await signIn(db, { counters: noCounters, address: '' }, who)).token
}

/** Search texts from the middle of the orders. */
async function findSamples(db: Kysely<Schema>): Promise<Samples> {
  const order = await db
    .selectFrom('orders')
    .innerJoin('provider_payments', 'provider_payments.payment_id', 'orders.payment_id')
    .orderBy('orders.id')
    .offset(COUNT / 2)
    .limit(1)
    .select(['orders.id as orderId', 'provider_payments.id as paymentId'])
    .executeTakeFirstOrThrow()
  return { ...order, from: dayBefore(30), first: dayBefore(90), to: dayBefore(0) }
}

/** Reads the whole export over HTTP without storing it; returns its bytes. */
async function readExport(get: Get, path: string): Promise<number> {
  const response = await get(path)
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += chunk.length
  return bytes
}

export type OnPostgres = {
  version: string
  seeding: number
  lists: Measured[]
  exports: Record<string, Watched<number>>
}

async function measure(db: Kysely<Schema>, databaseUrl: string): Promise<OnPostgres> {
  const start = performance.now()
  await seed(db, { products: COUNT, users: COUNT, orders: COUNT }, (kind, done) =>
    console.log(`Seeded ${done} ${kind}`),
  )
  const seeding = (performance.now() - start) / 1000
  const config = readConfig({ LOG_LEVEL: 'silent', DATABASE_URL: databaseUrl, SANDBOX_SECRET: '-' })
  const app = await createApp({ config, db })
  const token = await signInAdmin(db)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const get: Get = (path) =>
    fetch(`${address}/api/v1${path}`, { headers: { authorization: token } })
  const lists = await measureLists(get, await findSamples(db))
  const exports: OnPostgres['exports'] = {}
  for (const what of ['product', 'order'])
    exports[`${what}s`] = await watch(() => readExport(get, `/${what}/export`))
  await app.close()
  const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db)
  return { version: rows[0]?.server_version ?? '', seeding, lists, exports }
}

/** Measures on a temporary PostgreSQL server; null where PostgreSQL is not installed. */
export async function measureOnPostgres(): Promise<OnPostgres | null> {
  const postgres = await startPostgres()
  if (!postgres) return null
  const { db, close } = await openDatabase({ databaseUrl: postgres.url, dataDir: '' })
  try {
    await migrate(db)
    return await measure(db, postgres.url)
  } finally {
    await close()
    await postgres.stop()
  }
}
