/** How soon a change is seen: at once, within a second, or for stock within two. */
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Product } from '#app/products/contract.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import type { OpenDatabase } from '#db/connect.ts'
import type { Row } from '#db/schema.ts'
import { type CachedShop, cachedShopOn } from '../support/cached-shop.ts'
import { addCategory, addPhoto, addProduct } from '../support/catalogue.ts'
import { onServer, openTestDatabase } from '../support/database.ts'
import { formOf } from '../support/form.ts'
import { addPerson, type Person } from '../support/people.ts'
import { shopOn, type TestShop } from '../support/shop.ts'

let opened: OpenDatabase
/** The process whose cache is looked at, and another one on the same database. */
let shop: CachedShop
let other: TestShop
let admin: Person
let category: Row<'categories'>
let cup: Row<'products'>
let lamp: Row<'products'>

beforeAll(async () => {
  opened = await openTestDatabase()
  const { db } = opened
  admin = await addPerson(db, { admin: true })
  category = await addCategory(db, 'Kitchen')
  cup = await addProduct(db, { category, name: 'Cup', quantity: 10 })
  lamp = await addProduct(db, { category, name: 'Lamp', quantity: 10 })
  shop = await cachedShopOn(db)
  other = await shopOn(db, { CACHE_MB: '0' })
})
afterAll(async () => {
  await shop?.close()
  await other?.app.close()
  await opened?.close()
})

const list = `${API_PREFIX}/product/get-product`
const detail = ({ slug }: { slug: string }) => `${list}/${slug}`

const read = async (of: { slug: string }): Promise<Product> =>
  JSON.parse((await shop.ask(detail(of))).bytes.toString()).product

/** Everything that is kept is there before something changes. */
async function fill() {
  for (const path of [list, detail(cup), detail(lamp)]) await shop.ask(path)
}

const edit = (at: TestShop, { id }: { id: string }, fields: Record<string, string | number>) =>
  at.put(`/product/update-product/${id}`, { token: admin.token, body: formOf(fields) })
const facts = (name: string) => ({ name, description: 'x', price: 1, category: category.id })

const setStock = ({ id }: { id: string }, quantity: number) =>
  opened.db.updateTable('products').set({ quantity }).where('id', '=', id).execute()

const SECOND = { timeout: 1000, interval: 10 }
const TWO_SECONDS = { timeout: 2000, interval: 10 }

describe('what an admin changes', () => {
  it('is seen by everybody at once, where it was changed', async () => {
    for (const price of [11, 12, 13]) {
      await fill()
      const { status } = await edit(shop, cup, { ...facts('Cup'), price, quantity: 10 })
      expect(status).toBe(200)
      expect((await read(cup)).price).toBe(price)
    }
  })

  it('is seen within a second in another process', async () => {
    await fill()
    await edit(other, cup, { ...facts('Cup'), price: 99, quantity: 10 })
    await expect.poll(async () => (await read(cup)).price, SECOND).toBe(99)
  })

  it('empties nothing when it is no matter of the catalogue', async () => {
    const somebody = await addPerson(opened.db)
    await fill()
    const before = shop.made()
    const { status } = await shop.put(`/auth/user-role/${somebody.id}`, {
      token: admin.token,
      body: { role: 1 },
    })
    expect(status).toBe(200)
    await shop.ask(list)
    expect(shop.made() - before).toBeLessThanOrEqual(1)
  })
})

describe('an import', () => {
  it('is seen by whoever has read its last line', async () => {
    await fill()
    const csv = `slug,price\n${lamp.slug},77\n`
    const reply = await shop.app.inject({
      ...{ method: 'POST', url: `${API_PREFIX}/product/import`, payload: csv },
      headers: { authorization: admin.token, 'content-type': 'text/csv' },
    })
    expect(reply.body).toContain('"step":"done"')
    expect((await read(lamp)).price).toBe(77)
  })
})

describe('a sale', () => {
  it('empties nothing that does not show the product, and shows within two seconds', async () => {
    await setStock(cup, 9)
    await expect.poll(async () => (await read(cup)).quantity, TWO_SECONDS).toBe(9)
    await fill()
    const before = shop.made()
    await setStock(cup, 8)
    await expect.poll(async () => (await read(cup)).quantity, TWO_SECONDS).toBe(8)
    // the cup's page was made again, and the lamp's was not
    expect(shop.made() - before).toBe(1)
    await shop.ask(detail(lamp))
    expect(shop.made() - before).toBe(1)
  })

  it('of the last piece shows within two seconds, in every list', async () => {
    await setStock(cup, 1)
    await expect.poll(async () => (await read(cup)).quantity, TWO_SECONDS).toBe(1)
    await fill()
    await setStock(cup, 0)
    const quantities = async () => {
      const { products } = JSON.parse((await shop.ask(list)).bytes.toString())
      return products.find(({ _id }: Product) => _id === cup.id)?.quantity
    }
    await expect.poll(quantities, TWO_SECONDS).toBe(0)
  })

  it('shows to whoever comes first after two seconds in which nobody came', async () => {
    await setStock(cup, 7)
    await expect.poll(async () => (await read(cup)).quantity, TWO_SECONDS).toBe(7)
    await setStock(cup, 6)
    await setTimeout(2000)
    expect((await read(cup)).quantity).toBe(6)
  })

  it('of many products at once is a change of everything', async () => {
    await fill()
    const many = Array.from({ length: 101 }, () => addProduct(opened.db, { category }))
    await Promise.all(many)
    await expect
      .poll(async () => JSON.parse((await shop.ask(list)).bytes.toString()).total)
      .toBe(103)
    await opened.db.updateTable('products').set({ quantity: 5 }).execute()
    await expect.poll(async () => (await read(cup)).quantity, SECOND).toBe(5)
  })
})

describe('the database', () => {
  const changes = () => opened.db.selectFrom('catalogue_changes').select('product_id').execute()
  const forget = () => opened.db.deleteFrom('catalogue_changes').execute()

  it('tells of a change in any column that is shown', async () => {
    const { rows } = await sql<{ name: string; type: string }>`
      select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = 'products'::regclass and attnum > 0 and not attisdropped
        and attgenerated = '' and attname not in ('id', 'quantity', 'number')`.execute(opened.db)
    const another: Record<string, ReturnType<typeof sql>> = {
      text: sql`gen_random_uuid()::text`,
      integer: sql`1234567`,
      boolean: sql`not shipping`,
      uuid: sql`${(await addCategory(opened.db, 'Elsewhere')).id}::uuid`,
    }
    const moment = sql`now() + interval '1 day'`
    expect(rows.length).toBeGreaterThan(7)
    for (const { name, type } of rows) {
      await forget()
      const value = type.startsWith('timestamp') ? moment : another[type]
      await sql`update products set ${sql.ref(name)} = ${value} where id = ${lamp.id}`.execute(
        opened.db,
      )
      expect(await changes(), name).toEqual([{ product_id: null }])
    }
  })

  it('tells of photos, categories and products that come and go, and of nothing else', async () => {
    const changing = [
      () => addPhoto(opened.db, lamp),
      () => addCategory(opened.db, 'Garden'),
      () => addProduct(opened.db, { category }),
      () => opened.db.deleteFrom('product_photos').execute(),
    ]
    for (const change of changing) {
      await forget()
      await change()
      expect((await changes()).at(0), change.toString()).toEqual({ product_id: null })
    }
    await forget()
    await addPerson(opened.db)
    await opened.db.updateTable('products').set({ quantity: 5 }).where('quantity', '=', 5).execute()
    expect(await changes()).toEqual([])
  })

  // the embedded one has a single connection
  it.runIf(onServer)(
    'tells of a change that took long, after others that began later',
    async () => {
      const renamed = (name: string) =>
        expect.poll(async () => (await read(cup)).name, SECOND).toBe(name)
      await fill()
      await opened.db.transaction().execute(async (tx) => {
        await tx.updateTable('products').set({ name: 'Late' }).where('id', '=', cup.id).execute()
        for (const price of [21, 22, 23]) {
          await edit(shop, lamp, { ...facts('Lamp'), price, quantity: 10 })
          expect((await read(lamp)).price).toBe(price)
          await fill()
        }
      })
      await renamed('Late')
    },
  )
})
