/** Saves of a product with 500 variants, in which the price and the stock of each is changed. */
import { variantCalls } from '#app/products/variant-contract.ts'
import { address } from '#app/shared/web/call.ts'
import { openDatabase } from '#db/connect.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { startShopProcess } from '#tests/support/shop-process.ts'
import { combinations, option, type Variants } from '#tests/support/variant-calls.ts'
import { ENGINES, type Engine } from '../fill/databases.ts'
import type { Part, Result, Run } from '../part.ts'
import { median, quantile } from '../statistics.ts'
import { table } from '../table.ts'

const LIMITS_MS = { PostgreSQL: 150, PGlite: 500 }
const SAVES = 40
const CELLS = { price: 20, compareAt: null, quantity: 5, weightGrams: null, sku: null }

/** An option with this many values. */
const optionOf = (slot: number, name: string, count: number) =>
  option(slot, name, ...Array.from({ length: count }, (_, at) => `${name} ${at}`))

type Admin = { shop: string; token: string; id: string }

async function request<Body>({ shop, token, id }: Admin, method: string, body?: object) {
  const path = address(variantCalls.getVariants, { id }, {})
  const headers = { authorization: token, 'content-type': 'application/json' }
  const answer = await fetch(shop + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`The save was answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Body
}

/** Gives the product 500 variants. */
async function addVariants(admin: Admin) {
  const options = [optionOf(1, 'Size', 50), optionOf(2, 'Colour', 10)]
  const added = combinations(options)
    .slice(1)
    .map((values) => ({ _id: crypto.randomUUID(), values, ...CELLS, barcode: null }))
  await request(admin, 'PUT', { options: { from: [], to: options }, added })
}

/** The milliseconds of a save. */
async function save(admin: Admin): Promise<number> {
  const { variants } = await request<Variants>(admin, 'GET')
  const changed = variants.map(({ _id, updatedAt, price, quantity }) => ({
    _id,
    updatedAt,
    price: { from: price, to: price + 1 },
    quantity: { from: quantity, to: quantity + 1 },
  }))
  const startedAt = performance.now()
  await request(admin, 'PUT', { changed })
  return performance.now() - startedAt
}

async function measureEngine(run: Run, engine: Engine) {
  const settings = await run.databases.settingsOf(engine, 1000)
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = settings
  const { db, close } = await openDatabase({ dataDir, ...(databaseUrl && { databaseUrl }) })
  const { token } = await addPerson(db, { admin: true })
  const { id } = await addProduct(db, { category: await addCategory(db, 'Shirts'), name: 'Shirt' })
  await close()
  const shop = await startShopProcess(settings, run.checkout)
  try {
    const admin = { shop: shop.address, token, id }
    await addVariants(admin)
    const times: number[] = []
    for (let at = 0; at < (run.isShort ? 2 : SAVES); at++) times.push(await save(admin))
    return { engine, p50: median(times), p95: quantile(times, 0.95) }
  } finally {
    await shop.stop()
  }
}

async function measure(run: Run): Promise<Result> {
  const sides = []
  for (const engine of ENGINES) sides.push(await measureEngine(run, engine))
  return {
    text: [
      `${SAVES} saves one after the other, each of the price and the stock of all 500 variants of a product, in a shop of 1,000 products.`,
      table(
        ['database', 'p50, ms', 'p95, ms'],
        sides.map(({ engine, p50, p95 }) => [engine, p50.toFixed(0), p95.toFixed(0)]),
      ),
    ].join('\n\n'),
    targets: sides.map(({ engine, p95 }) => ({
      measure: `A save of 500 variants, ${engine}`,
      target: `p95 ≤ ${LIMITS_MS[engine]} ms`,
      measured: `${p95.toFixed(0)} ms`,
      reached: p95 <= LIMITS_MS[engine],
    })),
  }
}

export const variants: Part = { title: 'Saves of 500 variants', measure }
