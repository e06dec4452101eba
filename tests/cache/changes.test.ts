/** How soon changes are visible: at once, within a second, a quantity within two. */
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Product } from '#app/products/contract.ts'
import { changeProduct } from '#app/products/server/editing.ts'
import { publishImport } from '#app/products/server/publish.ts'
import { API_PREFIX } from '#app/shared/contract/endpoint.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { publishChanges } from '#app/shared/server/cache/change-feed-store.ts'
import type { Row } from '#db/schema.ts'
import { testCachedShop } from '#tests/support/cached-shop.ts'
import { addPerson, type Person } from '../support/accounts.ts'
import { addCategory, addProduct, replacePhoto, sellUntil } from '../support/catalogue.ts'
import { onServer } from '../support/database.ts'
import { formOf } from '../support/form.ts'
import { settingsThrough } from '../support/settings.ts'
import type { TestShop } from '../support/shop.ts'

let admin: Person
let category: Row<'categories'>
let cup: Row<'products'>
let lamp: Row<'products'>
const shop = testCachedShop({
  settings: { TRUST_PROXY: '127.0.0.1' },
  async fill(db) {
    admin = await addPerson(db, { admin: true })
    category = await addCategory(db, 'Kitchen')
    cup = await addProduct(db, { category, name: 'Cup', quantity: 10 })
    lamp = await addProduct(db, { category, name: 'Lamp', quantity: 10 })
  },
})

const list = `${API_PREFIX}/product/get-product`
const detail = ({ slug }: { slug: string }) => `${list}/${slug}`
const inStock = () => `${API_PREFIX}/product/product-category/${category.slug}?stock=in`

/** A visitor who edits nothing. */
const VISITOR = { headers: { 'x-forwarded-for': '203.0.113.1' } }

const read = async (of: { slug: string }): Promise<Product> =>
  JSON.parse((await shop.ask(detail(of), VISITOR)).bytes.toString()).product

const namesIn = async (path: string, as: object = VISITOR): Promise<string[]> => {
  const { products } = JSON.parse((await shop.ask(path, as)).bytes.toString())
  return products.map(({ name }: Product) => name)
}

/** Everything is cached before a change. */
async function fill() {
  for (const path of [list, detail(cup), detail(lamp), inStock()]) await shop.ask(path)
}

const edit = (at: TestShop, { id }: { id: string }, fields: Record<string, string | number>) =>
  at.put(`/product/update-product/${id}`, { token: admin.token, body: formOf(fields) })
const facts = (name: string) => ({ name, description: 'x', price: 1, category: category.id })

const create = (name: string, at: TestShop = shop) =>
  at.post('/product/create-product', {
    token: admin.token,
    body: formOf({ ...facts(name), quantity: 1 }),
  })

const OFTEN = { interval: 10 }

describe("an admin's change", () => {
  it('of the settings is seen at once, and within a second in another process', async () => {
    const settings = `${API_PREFIX}/settings`
    const nameNow = async () =>
      JSON.parse((await shop.ask(settings, VISITOR)).bytes.toString()).name
    const save = async (at: TestShop, name: string) => {
      const { status } = await settingsThrough(at, () => admin).save({ name })
      expect(status).toBe(200)
    }
    expect(await nameNow()).toBe('Haat')
    await save(shop, 'Souk')
    expect(await nameNow()).toBe('Souk')
    await save(shop.twin, 'Bazaar')
    await expect.poll(nameNow, OFTEN).toBe('Bazaar')
  })

  it('appears in lists at once for the admin, and for others after the next render', async () => {
    await fill()
    expect((await create('Vase')).status).toBe(201)
    // others get the stale list while it is rendered again
    expect(await namesIn(list)).not.toContain('Vase')
    expect(await namesIn(list, {})).toContain('Vase')
    await expect.poll(() => namesIn(list), OFTEN).toContain('Vase')
  })

  it('changes totals at once, also those that another process keeps', async () => {
    // a request with a token bypasses the cache, but not the kept totals, from which what is sold out is subtracted
    const as = { headers: { ...VISITOR.headers, authorization: admin.token } }
    const total = async (path = `${API_PREFIX}/product/product-count`) =>
      JSON.parse((await shop.ask(path, as)).bytes.toString()).total
    const [all, available] = [await total(), await total(inStock())]
    await create('Tray')
    expect([await total(), await total(inStock())]).toEqual([all + 1, available + 1])
    await edit(shop.twin, lamp, { ...facts('Lamp'), quantity: 0 })
    expect(await total(inStock())).toBe(available)
    await edit(shop.twin, lamp, { ...facts('Lamp'), quantity: 10 })
    await create('Basket', shop.twin)
    expect([await total(), await total(inStock())]).toEqual([all + 2, available + 2])
  })

  it('leaves what it does not change as it is', async () => {
    await fill()
    const before = shop.made()
    await edit(shop, cup, { ...facts('Cup'), price: 5, quantity: 10 })
    await read(lamp)
    // only the edit itself was handled
    expect(shop.made() - before).toBe(1)
  })

  it('invalidates nothing when the catalogue does not show it', async () => {
    const person = await addPerson(shop.db)
    await fill()
    const before = shop.made()
    const { status } = await shop.put(`/auth/user-role/${person.id}`, {
      token: admin.token,
      body: { role: 1 },
    })
    expect(status).toBe(200)
    await shop.ask(list)
    expect(shop.made() - before).toBeLessThanOrEqual(1)
  })
})

describe('a sale', () => {
  it('invalidates nothing that does not show the product, and shows within two seconds', async () => {
    await sellUntil(shop.db, cup, 9)
    await expect.poll(async () => (await read(cup)).quantity, OFTEN).toBe(9)
    await fill()
    const before = shop.made()
    await sellUntil(shop.db, cup, 8)
    await expect.poll(async () => (await read(cup)).quantity, OFTEN).toBe(8)
    // the cup's page was made again, and the lamp's was not
    expect(shop.made() - before).toBe(1)
    await read(lamp)
    expect(shop.made() - before).toBe(1)
  })

  it('shows to the first visitor after two seconds without any', async () => {
    await sellUntil(shop.db, cup, 7)
    await expect.poll(async () => (await read(cup)).quantity, OFTEN).toBe(7)
    await sellUntil(shop.db, cup, 6)
    await shop.app.pages?.catchUp()
    await setTimeout(2000)
    expect((await read(cup)).quantity).toBe(6)
  })
})

describe('a service', () => {
  const published = async () => {
    const rows = await shop.db.selectFrom('change_feed').select('tag').execute()
    return [...new Set(rows.map(({ tag }) => tag))].sort()
  }
  const sent = (body: object) => ({ token: admin.token, body })

  it('publishes what it changes', async () => {
    const { id } = await addProduct(shop.db, { category, quantity: 2 })
    const ofProduct = [`photo:${id}`, `product:${id}`, 'products']
    const changes: [what: () => Promise<unknown>, tags: string[]][] = [
      [() => create('Bowl'), ['products']],
      [() => edit(shop, { id }, facts('Jug')), ofProduct],
      [() => replacePhoto(shop.db, { id }, 'v2'), ofProduct],
      [() => sellUntil(shop.db, { id }, 1), [`product:${id}`]],
      [() => sellUntil(shop.db, { id }, 0), ['availability', `product:${id}`]],
      [() => sellUntil(shop.db, { id }, 1), ['availability', `product:${id}`]],
      [() => shop.delete(`/product/delete-product/${id}`, { token: admin.token }), ofProduct],
      [() => shop.post('/category/create-category', sent({ name: 'Attic' })), ['categories']],
      [
        () => shop.put(`/category/update-category/${category.id}`, sent({ name: 'Cellar' })),
        ['categories'],
      ],
      [() => publishImport(shop.db), ['*']],
      [() => addPerson(shop.db), []],
    ]
    for (const [change, tags] of changes) {
      await shop.db.deleteFrom('change_feed').execute()
      await change()
      expect(await published(), change.toString()).toEqual(tags)
    }
  })

  // the embedded database has a single connection
  it.runIf(onServer)(
    'publishes a change that took long, after others that began later',
    async () => {
      await fill()
      await shop.db.transaction().execute(async (tx) => {
        await changeProduct(tx, SHOP, { id: cup.id, changes: { price: 40 }, seen: {} })
        for (const price of [21, 22, 23]) {
          await edit(shop, lamp, { ...facts('Lamp'), price, quantity: 10 })
          expect((await read(lamp)).price).toBe(price)
          await fill()
        }
      })
      await expect.poll(async () => (await read(cup)).price, OFTEN).toBe(40)
    },
  )
})

describe('an answer that is made anew', () => {
  it('keeps its compressed forms where nothing has changed', async () => {
    const headers = { 'accept-encoding': 'br' }
    const entryOf = () => shop.app.pages?.entries().find(({ key }) => key === path)
    const path = `${API_PREFIX}/category/get-category?`.slice(0, -1)
    for (let n = 0; n < 20; n++) await addCategory(shop.db, `Category number ${n}`)
    await publishChanges(shop.db, [{ tag: 'categories', stale_ms: 0 }])
    await expect
      .poll(async () => (await shop.ask(path, { headers })).headers['content-encoding'], OFTEN)
      .toBe('br')
    const before = entryOf()
    await publishChanges(shop.db, [{ tag: 'categories', stale_ms: 0 }])
    await expect
      .poll(async () => {
        await shop.ask(path)
        return entryOf() !== before
      }, OFTEN)
      .toBe(true)
    expect(entryOf()?.forms.has('br')).toBe(true)
  })
})
