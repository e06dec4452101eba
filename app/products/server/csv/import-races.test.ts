import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as everybodyElse } from 'node:timers/promises'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ImportStep } from '#app/products/admin-contract.ts'
import type { ListedProduct } from '#app/products/contract.ts'
import { OWNER } from '#app/shared/server/actor/actor.ts'
import type { SendStep } from '#app/shared/server/step-lines.ts'
import { addPerson } from '#tests/support/accounts.ts'
import {
  addCategory,
  addProduct,
  changeListed,
  insertProducts,
  listedOf,
} from '#tests/support/catalogue.ts'
import { onServer } from '#tests/support/database.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { formOf } from '#tests/support/form.ts'
import { seededRandom } from '#tests/support/seeded-random.ts'
import { testShop } from '#tests/support/shop.ts'
import { takeStock } from '../service.ts'
import { claimSlugs } from '../store.ts'
import { lockProducts } from '../variants/store.ts'
import { importProducts } from './import.ts'

const shop = testShop()
let token = ''
let cups = { id: '' }
beforeEach(async () => {
  await emptyTables(shop.db, ['categories', 'products', 'product_slugs', 'category_slugs'])
  token = (await addPerson(shop.db, { admin: true })).token
  cups = await addCategory(shop.db, 'Cups')
})

type Saved = { code?: string; products: ListedProduct }
type Product = { id: string; slug: string }

const edit = (product: Product, fields: Parameters<typeof formOf>[0]) =>
  shop.put<Saved>(`/product/update-product/${product.id}`, { token, body: formOf(fields) })
const create = (name: string) => {
  const rest = { description: 'Big.', price: 5, quantity: 1, category: cups.id }
  return shop.post<Saved>('/product/create-product', { token, body: formOf({ name, ...rest }) })
}
const sell = ({ id }: Product, quantity = 1) =>
  shop.db.transaction().execute((tx) => {
    const asSold = { name: '', slug: '', description: '', price_minor: 1 }
    return takeStock(tx, [{ product_id: id, quantity, ...asSold }])
  })
const quantityOf = async (product: Product) => (await listedOf(shop.db, product)).quantity
const many = async (count: number) => {
  const products: Product[] = []
  for (let n = 0; n < count; n++)
    products.push(await addProduct(shop.db, { category: cups, quantity: 100, price: 19 }))
  return products
}

const HEADER = 'slug,name,description,price,quantity,category,quantity_read'
const mugs = (count: number) => Array.from({ length: count }, () => ',Mug,Big.,5,1,Cups,')

/** Imports rows; `betweenPhases` is awaited when they are checked, before they are written. */
async function importRows(
  rows: string[],
  progress: SendStep<ImportStep> = () => {},
  betweenPhases = async () => {},
) {
  const path = join(tmpdir(), `${randomUUID()}.csv`)
  await writeFile(path, [HEADER, ...rows].join('\n'))
  try {
    return await importProducts(shop.db, OWNER, { path, progress, recheckCaller: betweenPhases })
  } finally {
    await rm(path)
  }
}

/** Calls a function once: when the first row is checked, or written. */
function when(step: 'checked' | 'written', act: () => Promise<unknown>) {
  let acting: Promise<unknown> | undefined
  const progress: SendStep<ImportStep> = (sent) => {
    if ((sent.step === 'checking') === (step === 'checked')) acting ??= act()
  }
  return { progress, done: async () => acting }
}

const refused = {
  code: 'conflict',
  message: 'The catalogue has changed. Please check the file again.',
}

describe('an import', () => {
  it.each<[what: string, row: (product: Product) => string, act: (product: Product) => unknown]>([
    [
      'an edit of a product that it changes',
      ({ slug }) => `${slug},New,Big.,7,1,Cups,`,
      (product) => edit(product, { description: 'Mine.' }),
    ],
    [
      'the end of a product that it changes',
      ({ slug }) => `${slug},New,Big.,7,1,Cups,`,
      ({ id }) => shop.delete(`/product/delete-product/${id}`, { token }),
    ],
    ['a product at an address that it gives', () => 'jar,Jar,Big.,7,1,Cups,', () => create('Jar')],
    [
      'the end of a category that it names',
      () => ',Jar,Big.,7,1,Empty,',
      () => shop.db.deleteFrom('categories').where('name', '=', 'Empty').execute(),
    ],
    [
      'a sale of pieces that it takes',
      ({ slug }) => `${slug},New,Big.,7,0,Cups,100`,
      (product) => sell(product),
    ],
  ])('is refused as a whole after %s', async (_what, row, act) => {
    await addCategory(shop.db, 'Empty')
    const [product] = await many(1)
    if (!product) throw new Error('There is no product.')
    let before = ''
    const catalogue = async () =>
      JSON.stringify(await shop.db.selectFrom('products').orderBy('id').selectAll().execute())
    const meanwhile = when('checked', async () => {
      await act(product)
      before = await catalogue()
    })
    const rows = [...mugs(3), row(product), ...mugs(1200)]
    const work = importRows(rows, meanwhile.progress, async () => {
      await meanwhile.done()
    })
    await expect(work).rejects.toMatchObject(refused)
    expect(await catalogue()).toBe(before)
  })

  it('lets sales, edits and creations of others through while it writes', async () => {
    const [mine, other] = await many(2)
    if (!mine || !other) throw new Error('There are no products.')
    let isOver = false
    const ends: boolean[] = []
    const meanwhile = when('written', async () => {
      const done = async (work: Promise<unknown>) => {
        await work
        ends.push(isOver)
      }
      const replies = [edit(other, { price: 19.5 }), create('Teapot')] as const
      await Promise.all([done(sell(other)), ...replies.map(done)])
      return Promise.all(replies)
    })
    const rows = [`${mine.slug},New,Big.,7,1,Cups,`, ...mugs(onServer ? 3000 : 600)]
    const { imported } = await importRows(rows, (sent) => {
      if (sent.step === 'writing' && sent.rows === sent.of) isOver = true
      meanwhile.progress(sent)
    })
    expect(imported).toBe(true)
    expect(await meanwhile.done()).toMatchObject([{ status: 200 }, { status: 201 }])
    // the embedded database has one connection, so all requests wait for it
    if (onServer) expect(ends).toEqual([false, false, false])
  })

  /** Resolves when a transaction waits for a lock of another one. */
  const whenSomebodyWaits = async () => {
    const waiting = sql`select from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`
    while ((await waiting.execute(shop.db)).rows.length === 0) await everybodyElse()
  }

  it.runIf(onServer)('waits in no circle with an edit that began before', async () => {
    const [product] = await many(1)
    if (!product) throw new Error('There is no product.')
    const edited = Promise.withResolvers<void>()
    const saved = shop.db.transaction().execute(async (tx) => {
      await lockProducts(tx, [product.id])
      edited.resolve()
      await whenSomebodyWaits()
      await changeListed(tx, product, { price_minor: 9900 })
    })
    await edited.promise
    const work = importRows([...mugs(3), `${product.slug},New,Big.,7,1,Cups,`])
    await Promise.all([
      expect(saved).resolves.toBe(undefined),
      expect(work).resolves.toMatchObject({ imported: true }),
    ])
  })

  it.runIf(onServer)('waits in no circle with a creation that began before', async () => {
    const claimed = Promise.withResolvers<void>()
    const id = uuidv7()
    const saved = shop.db.transaction().execute(async (tx) => {
      await claimSlugs(tx, [{ id, slug: 'mug' }])
      claimed.resolve()
      await whenSomebodyWaits()
      const facts = { name: 'Mug', description: 'Big.', price_minor: 500, quantity: 1 }
      await insertProducts(tx, [{ id, slug: 'mug', ...facts, category_id: cups.id }])
    })
    await claimed.promise
    await Promise.all([
      expect(saved).resolves.toBe(undefined),
      expect(importRows(mugs(3))).rejects.toMatchObject(refused),
    ])
  })

  it('never runs into anybody else, whatever they do', async () => {
    const { seed, next, pick } = seededRandom()
    const products = await many(200)
    await addCategory(shop.db, 'Pots')
    let isOver = false
    const statuses = new Set<number>()
    const somebody = async () => {
      while (!isOver) {
        const product = pick(products)
        const work = pick([
          () =>
            edit(product, { price: Math.floor(next() * 120), name: pick(['Mug', 'Pot', 'Cup']) }),
          () => create(pick(['Mug', 'Pot'])),
          () => sell(product).then(() => ({ status: 200 })),
        ])
        statuses.add((await work()).status)
        // the embedded database answers without yielding to the event loop
        await everybodyElse()
      }
    }
    const traffic = [somebody(), somebody(), somebody(), somebody()]
    const outcomes: unknown[] = []
    for (let round = 0; round < (onServer ? 3 : 1); round++) {
      const changes = products.map(({ slug }) => {
        const price = Math.floor(next() * 120)
        return `${slug},Cup,Big.,${price},100,${pick(['Cups', 'Pots'])},`
      })
      const work = importRows([...changes, ...mugs(100)])
      outcomes.push(
        await work.then(
          ({ imported }) => imported,
          (error) => error.message,
        ),
      )
    }
    isOver = true
    await Promise.all(traffic)
    expect([...statuses].toSorted(), `HAAT_SEED=${seed}`).toEqual([200, 201])
    for (const outcome of outcomes)
      expect([true, refused.message], `HAAT_SEED=${seed}`).toContain(outcome)
  })
})

describe('a round trip of the export', () => {
  it('takes back no sale, and says how many quantities change', async () => {
    const [one, two] = await many(2)
    if (!one || !two) throw new Error('There are no products.')
    await sell(one, 30)
    const row = ({ slug }: Product, quantity: number, read: number | '') =>
      `${slug},Clay cup,Holds tea.,20,${quantity},Cups,${read}`
    const first = await importRows([row(one, 100, 100), row(two, 110, 100)])
    expect(first.report).toMatchObject({ updated: 2, quantities: 1 })
    expect([await quantityOf(one), await quantityOf(two)]).toEqual([70, 110])
    expect((await importRows([row(one, 0, 100)])).report.problems).toEqual([
      { line: 2, reason: 'The stock has changed: 70 left, and the row takes 100.' },
    ])
    expect((await importRows([row(one, 5, '')])).report).toMatchObject({ quantities: 1 })
    expect(await quantityOf(one)).toBe(5)
  })
})
