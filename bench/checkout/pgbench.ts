import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { openDatabase } from '#db/connect.ts'
import { findBinaries } from '#tests/support/postgres.ts'
import { runLongEnough } from '../load/long-enough.ts'
import { FIRST, LAST, PRICE_MINOR } from './fixtures.ts'

const run = promisify(execFile)

/** The shop switches just-in-time compilation off, too. */
const ENVIRONMENT = { ...process.env, PGOPTIONS: '-c jit=off' }

/** A plain order: what any shop on PostgreSQL has to write. */
export const PLAIN_ORDER = `\\set buyer random(${FIRST}, ${LAST})
\\set product random(${FIRST}, ${LAST})
begin;
insert into plain_orders (buyer, total_minor) values (:buyer, ${PRICE_MINOR}) returning id \\gset
insert into plain_lines (order_id, product, quantity) values (:id, :product, 1);
update plain_stock set quantity = quantity - 1 where product = :product and quantity > 0;
commit;
`

/** Creates the tables of a plain order in an empty database. */
export async function createPlainTables(databaseUrl: string): Promise<void> {
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '' })
  await sql`create table plain_stock (product integer primary key, quantity integer not null)`.execute(
    db,
  )
  await sql`
    insert into plain_stock
    select n, 1000000 from generate_series(${FIRST}::integer, ${LAST}::integer) as n`.execute(db)
  await sql`
    create table plain_orders (
      id bigint generated always as identity primary key,
      buyer integer not null,
      total_minor integer not null,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`
    create table plain_lines (
      order_id bigint not null references plain_orders,
      product integer not null references plain_stock,
      quantity integer not null,
      primary key (order_id, product)
    )`.execute(db)
  await sql`vacuum analyze`.execute(db)
  await close()
}

/**
 * Updates the statistics of the tables, as autovacuum does a minute after they were filled. Until then the
 * plans of an empty table read all of it.
 */
export async function analyze(databaseUrl: string): Promise<void> {
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '' })
  await sql`vacuum analyze`.execute(db)
  await close()
}

/** The path of pgbench; undefined where it is not installed. */
export function findPgbench(): string | undefined {
  const folders = [findBinaries() ?? '', ...(process.env.PATH ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file))
}

export type Pgbench = {
  program: string
  url: string
  script: string
  /** How statements with variables are sent; a recorded script has literals, and prepares by itself. */
  protocol: 'simple' | 'prepared'
}

type PgbenchResult = { runs: number; perSecond: number }

/** Runs pgbench once. Throws what it says where it fails, its errors first. */
async function runOnce(program: string, words: string[]): Promise<PgbenchResult> {
  const { stdout } = await run(program, words, { env: ENVIRONMENT }).catch(
    ({ code, stderr = '', stdout: printed = '' }) => {
      throw new Error(`pgbench ended with ${code}:\n${stderr}${printed}`)
    },
  )
  const [, runs] = /actually processed: (\d+)/.exec(stdout) ?? []
  if (!runs) throw new Error(`pgbench printed:\n${stdout}`)
  // without a run it prints no rate
  const [, perSecond] = /tps = ([\d.]+) \(without/.exec(stdout) ?? []
  return { runs: Number(runs), perSecond: Number(perSecond) }
}

/** The first run of a connection prepares the statements. */
const RUNS_EACH = 2

/**
 * Runs the script repeatedly on so many connections; for longer than `seconds` where a slow machine does not get
 * beyond first runs. Returns the runs per second.
 */
export async function runPgbench(
  { program, url, script, protocol }: Pgbench,
  { clients, seconds }: { clients: number; seconds: number },
): Promise<number> {
  const { hostname, port, username, pathname } = new URL(url)
  const threads = Math.min(clients, availableParallelism())
  const server = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)]
  const amount = ['-c', String(clients), '-j', String(threads)]
  const work = ['-n', '-M', protocol, '-f', script, '-D', 'isFirstRun=1', ...amount]
  const { perSecond } = await runLongEnough(
    seconds,
    (length) => runOnce(program, [...work, '-T', String(length), ...server]),
    ({ runs }) => runs >= RUNS_EACH * clients,
  )
  return perSecond
}
