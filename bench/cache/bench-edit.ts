/** Visitors' waits after an admin's edit, which makes every list stale. */
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { openSession } from '#app/accounts/server/sessions.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { productPath } from '#app/products/contract.ts'
import { address } from '#app/shared/web/call.ts'
import { openDatabase } from '#db/connect.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'
import type { Load, LoadRequest, Speed } from '../load/load.ts'
import { type Loader, startLoad } from '../load/processes.ts'
import type { Part, Result, Run } from '../part.ts'
import { findSamples, type Samples } from '../requests.ts'
import { median } from '../statistics.ts'
import { table } from '../table.ts'

const PRODUCTS = 100_000
const PAGES = 200
const RATE = 300
/** Enough for every request to be sent at its time, also while answers are slow. */
const CONNECTIONS = 200
const ROUNDS = 5
const SECONDS = 5
/** The edit comes this long after the start of a round. */
const EDIT_AFTER_MS = 500
const LIMIT_MS = 50
/** The admin is another visitor than the load: who edits gets no stale page for a minute. */
const PROXY = '127.0.0.1'
const ADMIN_ADDRESS = '192.0.2.1'

/** Pages that show products: those of the list of all products, and of the products themselves. */
function pagesOf({ pages, products }: Samples): LoadRequest[] {
  const lists = Array.from({ length: pages }, (_, at) => ({ path: `/?page=${at + 1}` }))
  return [...lists, ...products.map((product) => ({ path: productPath(product) }))].slice(0, PAGES)
}

/** The token of a new admin. */
async function addAdmin(databaseUrl: string): Promise<string> {
  const { db, close } = await openDatabase({ databaseUrl, dataDir: '' })
  const id = uuidv7()
  const facts = { name: 'Ada', password_hash: '-', answer_hash: '-', phone: '', address: '' }
  const email = `${id}@example.com`
  await db
    .insertInto('users')
    .values({ id, email, email_key: email, is_admin: true, ...facts })
    .execute()
  return openSession(db, { id, password_hash: '-' }).finally(close)
}

type Editor = { shop: string; token: string; samples: Samples }

/** Changes the price of a product, which lists show. */
async function edit({ shop, token, samples }: Editor, round: number) {
  const id = samples.products[round]?._id ?? ''
  const body = new FormData()
  body.set('price', String(10 + round))
  const path = address(productAdminCalls.updateProduct, { id }, {})
  const headers = { authorization: token, 'x-forwarded-for': ADMIN_ADDRESS }
  const answer = await fetch(shop + path, { method: 'PUT', headers, body })
  if (!answer.ok) throw new Error(`The edit was answered ${answer.status}: ${await answer.text()}`)
}

type Rounds = { before: Speed[]; after: Speed[] }

async function compare(load: Loader, editor: Editor, isShort: boolean): Promise<Rounds> {
  const requests = pagesOf(editor.samples)
  const options: Load = {
    address: editor.shop,
    requests,
    connections: CONNECTIONS,
    rate: RATE,
    seconds: isShort ? 1 : SECONDS,
  }
  // every page is in the cache
  await load.measure({ ...options, connections: 8, rate: undefined, seconds: isShort ? 1 : 15 })
  const rounds: Rounds = { before: [], after: [] }
  for (let round = 0; round < (isShort ? 1 : ROUNDS); round++) {
    rounds.before.push(await load.measure(options))
    const measuring = load.measure(options)
    await sleep(EDIT_AFTER_MS)
    await edit(editor, round)
    rounds.after.push(await measuring)
  }
  return rounds
}

const rowOf = (name: string, speeds: Speed[]) => {
  const of = (pick: (speed: Speed) => number) => median(speeds.map(pick)).toFixed(1)
  return [name, of(({ perSecond }) => perSecond), of(({ p50 }) => p50), of(({ p95 }) => p95)]
}

const textOf = ({ before, after }: Rounds, products: number) =>
  [
    `A shop of ${products} products on PostgreSQL in one process (\`WORKERS=1\`). ${RATE} requests a second on ${CONNECTIONS} connections read ${PAGES} pages that are in the page cache, each at its time. A figure is the median of ${ROUNDS} rounds of ${SECONDS} s. "With an edit": an admin changes the price of a product ${EDIT_AFTER_MS} ms after the start of the round, so that every list is made anew.`,
    table(
      ['', 'answers a second', 'p50, ms', 'p95, ms'],
      [rowOf('without an edit', before), rowOf('with an edit', after)],
    ),
  ].join('\n\n')

async function measure({ databases, checkout, sizes, isShort }: Run): Promise<Result> {
  const products = sizes.includes(PRODUCTS) ? PRODUCTS : Math.max(...sizes)
  const settings = await databases.settingsOf('PostgreSQL', products)
  const token = await addAdmin(settings.DATABASE_URL ?? '')
  const { address: shop, stop } = await startShopProcess(
    { ...settings, TRUST_PROXY: PROXY },
    checkout,
  )
  const load = startLoad()
  try {
    const rounds = await compare(load, { shop, token, samples: await findSamples(shop) }, isShort)
    const p95 = median(rounds.after.map((speed) => speed.p95))
    return {
      text: textOf(rounds, products),
      targets: [
        {
          measure: `${RATE} requests a second over ${PAGES} pages of ${products} products, p95 after an edit`,
          target: `≤ ${LIMIT_MS} ms`,
          measured: `${p95.toFixed(1)} ms`,
          reached: p95 <= LIMIT_MS,
        },
      ],
    }
  } finally {
    load.stop()
    await stop()
  }
}

export const edits: Part = { title: 'After an edit', measure }
