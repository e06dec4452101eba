/** Records the statements of a purchase as a script of pgbench. */
import { randomUUID } from 'node:crypto'
import { paymentCalls } from '#app/payments/contract.ts'
import { address } from '#app/shared/web/call.ts'
import { openDatabase } from '#db/connect.ts'
import { createApp } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { SECRET, signedPayment } from '#tests/support/payments.ts'
import { type Buyer, cartOf, FIRST, LAST, networkOfBuyer } from './fixtures.ts'
import { type Statement, scriptOf } from './pgbench-script.ts'

/** Settings of a shop for purchases in the sandbox. */
export const SETTINGS = {
  PAYMENTS: 'sandbox',
  SANDBOX_SECRET: SECRET,
  RATE_LIMIT: 'off',
  TRUST_PROXY: '127.0.0.1',
}

/** Buys once, and returns the statements of the purchase as a script of pgbench, and their number. */
export async function recordPurchase(
  databaseUrl: string,
  buyer: Buyer,
): Promise<{ script: string; statements: number }> {
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
  const recorded = [...statements]
  await app.close()
  await close()
  const purchase = { buyer: buyer.number, products, providerOrderId: started.id, paymentId }
  return { script: scriptOf(recorded, purchase), statements: recorded.length }
}
