/** The lists of the back office, each in every order and with every filter, on PostgreSQL. */
import { userAdminCalls } from '#app/accounts/admin-contract.ts'
import { auditCalls } from '#app/audit/admin-contract.ts'
import { couponAdminCalls } from '#app/coupons/admin-contract.ts'
import { emailAdminCalls } from '#app/emails/admin-contract.ts'
import { orderAdminCalls } from '#app/orders/admin-contract.ts'
import { overviewCalls } from '#app/overview/admin-contract.ts'
import { paymentAdminCalls } from '#app/payments/admin-contract.ts'
import { catalogueCalls } from '#app/products/catalogue-contract.ts'
import type { Endpoint } from '#app/shared/contract/endpoint.ts'
import { address } from '#app/shared/web/call.ts'
import { openDatabase } from '#db/connect.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'
import { SHARED_BUFFERS } from '../fill/databases.ts'
import { type Loader, startLoad } from '../load/processes.ts'
import type { Part, Result, Run } from '../part.ts'
import { median } from '../statistics.ts'
import { table } from '../table.ts'
import { fillLists } from './fill-lists.ts'

const LIMIT_MS = 50
const ROUNDS = 3
const SECONDS = 1

/** A call with texts that are searched in it. */
const LISTS: [name: string, call: Endpoint, texts: string[]][] = [
  ['Orders', orderAdminCalls.getAllOrders, ['mar', '4711']],
  ['Payments', paymentAdminCalls.getPayments, []],
  ['Products', catalogueCalls.listCatalogue, ['cup']],
  ['Customers', userAdminCalls.getAllUsers, ['mar', 'shopper-4711']],
  ['Discounts', couponAdminCalls.getCoupons, ['4711']],
  ['Outbox', emailAdminCalls.getEmails, ['shopper-4711']],
  ['History', auditCalls.getAuditLog, []],
  ['Home', orderAdminCalls.getFigures, []],
  ['Counts', overviewCalls.getWaiting, []],
  ['Palette', overviewCalls.search, ['cup', '4711', 'mar']],
]

type Query = Record<string, string>

/** The choices of an enumeration. */
const choicesOf = (schema: unknown): string[] =>
  schema instanceof Object && 'enum' in schema && Array.isArray(schema.enum) ? schema.enum : []

/** The list as it opens, with each of its choices, each text, and its hundredth page. */
function queriesOf({ query }: Endpoint, texts: string[]): Query[] {
  const properties: object = Object(query).properties ?? {}
  const chosen = Object.entries(properties).flatMap(([name, schema]) =>
    choicesOf(schema).map((value) => ({ [name]: value })),
  )
  const isList = Object.hasOwn(properties, 'page')
  return [
    // the palette asks nothing without a text
    ...(isList || texts.length === 0 ? [{}] : []),
    ...chosen,
    ...texts.map((q) => ({ q })),
    ...(isList ? [{ page: '100' }] : []),
  ]
}

type Measured = { name: string; p50: number; p95: number }

async function measureAll(load: Loader, shop: string, token: string, rounds: number) {
  const all: Measured[] = []
  for (const [list, call, texts] of LISTS)
    for (const query of queriesOf(call, texts)) {
      const requests = [{ path: address(call, {}, query), headers: { authorization: token } }]
      const speeds: { p50: number; p95: number }[] = []
      for (let round = 0; round <= rounds; round++) {
        const speed = await load.measure({
          address: shop,
          requests,
          connections: 1,
          seconds: SECONDS,
        })
        // the first one is the warm-up
        if (round > 0) speeds.push(speed)
      }
      const name = `${list} ${new URLSearchParams(query)}`.trim()
      const p50 = median(speeds.map((speed) => speed.p50))
      const p95 = median(speeds.map((speed) => speed.p95))
      all.push({ name, p50, p95 })
      console.log(`Measured: ${name}: p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)} ms`)
    }
  return all
}

async function measure({ databases, checkout, isShort }: Run): Promise<Result> {
  const rows = isShort ? 1000 : 100_000
  const settings = await databases.settingsOf('PostgreSQL', 0)
  const { DATABASE_URL: databaseUrl = '', DATA_DIR: dataDir } = settings
  const { db, close } = await openDatabase({ dataDir, databaseUrl })
  const { token } = await fillLists(db, rows)
    .then(() => addPerson(db, { admin: true }))
    .finally(close)
  const shop = await startShopProcess(settings, checkout)
  const load = startLoad()
  try {
    const all = await measureAll(load, shop.address, token, isShort ? 1 : ROUNDS)
    const shown = all.map(({ name, p50, p95 }) => [name, p50.toFixed(1), p95.toFixed(1)])
    return {
      text: [
        `A shop of ${rows.toLocaleString('en')} products, customers, orders, payments, discounts and e-mails on PostgreSQL (\`shared_buffers=${SHARED_BUFFERS}\`), one process with its background jobs. One admin asks again and again; a figure is the median of ${ROUNDS} rounds of ${SECONDS} s, after one that is not counted.`,
        table(['list', 'p50, ms', 'p95, ms'], shown),
      ].join('\n\n'),
      targets: all.map(({ name, p95 }) => ({
        measure: `${name}, ${rows.toLocaleString('en')} rows`,
        target: `p95 ≤ ${LIMIT_MS} ms`,
        measured: `${p95.toFixed(1)} ms`,
        reached: p95 <= LIMIT_MS,
      })),
    }
  } finally {
    load.stop()
    await shop.stop()
  }
}

export const lists: Part = { title: 'The lists of the back office', measure }
