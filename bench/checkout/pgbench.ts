import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { paymentCalls } from '#app/payments/contract.ts'
import { address } from '#app/shared/web/call.ts'
import { openDatabase } from '#db/connect.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { SECRET, signedPayment } from '#tests/support/payments.ts'
import { findBinaries } from '#tests/support/postgres.ts'
import { type Buyer, cartOf, FIRST, LAST, networkOfBuyer } from './fixtures.ts'
import { type Statement, scriptOf } from './script.ts'

const run = promisify(execFile)

/** Like the shop, without JIT compilation, which takes longer than these statements. */
const ENVIRONMENT = { ...process.env, PGOPTIONS: '-c jit=off' }

/** The settings of the benchmark's shops. */
export const SETTINGS = {
  PAYMENTS: 'sandbox',
  SANDBOX_SECRET: SECRET,
  RATE_LIMIT: 'off',
  TRUST_PROXY: '127.0.0.1',
}

/** Makes one purchase and returns its statements as a pgbench script. */
export async function recordPurchase(databaseUrl: string, buyer: Buyer): Promise<string> {
  const statements: Statement[] = []
  const { db, close } = await openDatabase({
    databaseUrl,
    dataDir: '',
    onQuery: ({ query }) => statements.push({ sql: query.sql, parameters: query.parameters }),
  })
  const environment = { ...SETTINGS, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }
  const app = await createApp({ config: readConfig(environment), db })
  const headers = { authorization: buyer.token, 'x-forwarded-for': networkOfBuyer(buyer.number) }
  const post = async (url: string, payload: object) => {
    const answer = await app.inject({ method: 'POST', url, payload, headers })
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.body}`)
    return answer.json()
  }
  const products: [number, number] = [FIRST, LAST]
  statements.length = 0
  const started = await post(address(paymentCalls.startPayment, {}, {}), cartOf(...products))
  const paymentId = `pay_${randomUUID()}`
  await post(address(paymentCalls.verifyPayment, {}, {}), signedPayment(started.id, paymentId))
  const told = [...statements]
  await app.close()
  await close()
  const purchase = { buyer: buyer.number, products, providerOrderId: started.id, paymentId }
  return scriptOf(told, purchase)
}

/** The path of pgbench; undefined where it is not installed. */
export function findPgbench(): string | undefined {
  const folders = [findBinaries() ?? '', ...(process.env.PATH ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file))
}

/** Runs the script repeatedly on so many connections; returns the runs per second. */
export async function runPgbench(
  program: string,
  {
    url,
    script,
    clients,
    seconds,
  }: Record<'url' | 'script', string> & {
    clients: number
    seconds: number
  },
): Promise<number> {
  const { hostname, port, username, pathname } = new URL(url)
  const threads = Math.min(clients, availableParallelism())
  const server = ['-h', hostname, '-p', port, '-U', username]
  const amount = ['-c', String(clients), '-j', String(threads), '-T', String(seconds)]
  const work = ['-n', '-f', script, ...amount, ...server, pathname.slice(1)]
  const { stdout } = await run(program, work, { env: ENVIRONMENT })
  const [, perSecond] = /tps = ([\d.]+) \(without/.exec(stdout) ?? []
  if (!perSecond) throw new Error(`pgbench said:\n${stdout}`)
  return Number(perSecond)
}
