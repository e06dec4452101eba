import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PRODUCTS_TAG } from '#app/products/contract.ts'
import { bandKey, priceBandsFrom } from '#app/products/model.ts'
import type { OpenDatabase } from '#db/connect.ts'
import { type Database, PHOTO_FORMATS } from '#db/schema.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addPhoto } from '#tests/support/catalogue.ts'
import { onServer, openTestDatabase } from '#tests/support/database.ts'
import { DEMO_CATEGORIES, newestFirst } from './catalogue.ts'
import { finishPhotos, isFinished, PHOTOS_FACT } from './finish-photos.ts'
import { isDemoLoaded, loadDemo } from './load-demo.ts'

const sentences = (text: string) => text.match(/[^.!?]+[.!?](?=\s|$)/g)?.length

describe('the demo catalogue', () => {
  const products = newestFirst().map(({ product }) => product)

  it('has eight categories and about eighty products, each with a name of its own', () => {
    expect(DEMO_CATEGORIES).toHaveLength(8)
    expect(products.length).toBeGreaterThanOrEqual(80)
    for (const field of ['name', 'emoji', 'description'] as const) {
      expect(new Set(products.map((product) => product[field])).size).toBe(products.length)
    }
  })

  it.each(priceBandsFrom([0, 20, 40, 60, 80, 100]).map((band) => [bandKey(band), band] as const))(
    'has at least five products for %s',
    (_label, [from, to]) => {
      const top = to === 9999 ? Number.POSITIVE_INFINITY : to + 1
      const inBand = products.filter(({ price }) => price >= from && price < top)
      expect(inBand.length).toBeGreaterThanOrEqual(5)
    },
  )

  it('has prices in cents, sold-out products, low ones, and some that are not shipped', () => {
    const few = (what: typeof products) => what.length >= 3 && what.length <= products.length / 5
    expect(products.filter(({ price }) => !Number.isInteger(price)).length).toBeGreaterThan(20)
    expect(products.filter(({ quantity }) => quantity === 0)).toSatisfy(few)
    expect(products.filter(({ quantity }) => quantity > 0 && quantity <= 3)).toSatisfy(few)
    expect(products.filter(({ shipping }) => !shipping)).toSatisfy(few)
  })

  it('describes each product in two to four sentences', () => {
    const others = products.filter(({ description }) => {
      const count = sentences(description) ?? 0
      return count < 2 || count > 4
    })
    expect(others).toEqual([])
  })

  it('shows every category among the first twelve', () => {
    const first = newestFirst().slice(0, 12)
    expect(new Set(first.map(({ category }) => category)).size).toBe(8)
  })
})

describe('loading the demo', () => {
  let opened: OpenDatabase
  const progress: number[] = []

  const counts = async () => {
    const { rows } = await sql<Record<string, number>>`
      select (select count(*)::int from users) users, (select count(*)::int from categories) categories,
        (select count(*)::int from products) products, (select count(*)::int from product_slugs) slugs,
        (select count(*)::int from category_slugs) shelves, (select count(*)::int from pictures) photos`.execute(
      opened.db,
    )
    return rows[0]
  }

  beforeAll(async () => {
    opened = await openTestDatabase()
    await loadDemo(opened.db)
  })
  afterAll(() => opened.close())

  const total = newestFirst().length
  const shop = {
    users: 2,
    categories: 8,
    shelves: 8,
    products: total,
    slugs: total,
  }
  const finish = (closing?: AbortSignal) =>
    finishPhotos(opened, (done) => progress.push(done), closing)
  const writes = async () => {
    const { rows } = await sql`select from change_feed where tag = ${PRODUCTS_TAG}`.execute(
      opened.db,
    )
    return rows.length
  }

  it('fills the shop at once, all but the photos', async () => {
    expect(await counts()).toEqual({ ...shop, photos: 0 })
    expect(await isDemoLoaded(opened.db)).toBe(true)
  })

  it('sends no e-mail to its own accounts', async () => {
    expect(await opened.db.selectFrom('emails').selectAll().execute()).toEqual([])
  })

  it('is not finished when the shop closes while photos are made, and keeps those that it has', async () => {
    const closing = new AbortController()
    await finishPhotos(opened, (done) => done === 12 && closing.abort(), closing.signal)
    expect(await counts()).toEqual({ ...shop, photos: 12 * 6 })
  })

  it('goes on where it ended, says so at each photo, and lets no photo be replaced', async () => {
    const [oldest] = newestFirst().slice(-1)
    const { id } = await opened.db
      .selectFrom('products')
      .select('id')
      .where('name', '=', oldest?.product.name ?? '')
      .executeTakeFirstOrThrow()
    await addPhoto(opened.db, { id }, { widths: [] })
    const before = await writes()
    await finish()
    expect(await counts()).toEqual({ ...shop, photos: (total - 1) * 6 })
    expect(progress).toEqual(Array.from({ length: total - 13 }, (_, index) => index + 14))
    // each write invalidates cached pages
    expect((await writes()) - before).toBeLessThanOrEqual(Math.ceil((total - 13) / 12))
  })

  it('makes no photo anew once all have been made', async () => {
    const some = newestFirst()
      .slice(-4)
      .map(({ product }) => product.name)
    const changed = await opened.db
      .selectFrom('products')
      .where('name', 'in', some)
      .select('id')
      .execute()
    const ids = changed.map(({ id }) => id)
    await opened.db.deleteFrom('product_photos').where('product_id', 'in', ids).execute()
    progress.length = 0
    await finish()
    expect([progress, (await counts())?.photos]).toEqual([[], (total - 4) * 6])
    await opened.db.insertInto('shop_facts').values(PHOTOS_FACT).execute()
    await finish()
    expect(await counts()).toEqual({ ...shop, photos: total * 6 })
  })

  it.runIf(onServer)(
    'makes them on two machines at once, in no transaction that waits',
    async () => {
      await opened.db.deleteFrom('product_photos').execute()
      await opened.db
        .insertInto('shop_facts')
        .values(PHOTOS_FACT)
        .onConflict((fact) => fact.doNothing())
        .execute()
      const waiting: Promise<unknown>[] = []
      const look = () => {
        const idle = sql`select from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'
          and state_change < now() - interval '100 ms'`
        waiting.push(idle.execute(opened.db).then(({ rows }) => rows.length))
      }
      await Promise.all([finishPhotos(opened, look), finishPhotos(opened, look)])
      expect(new Set(await Promise.all(waiting))).toEqual(new Set([0]))
      expect(await counts()).toEqual({ ...shop, photos: total * 6 })
      expect(await isFinished(opened.db)).toBe(true)
    },
  )

  it('gives each product its photo in every size and format', async () => {
    const { rows } = await sql<{ photos: string; products: number }>`
      select photos, count(*)::int products from (
        select string_agg(width || ' ' || format, ', ' order by width, format) photos
        from product_photos join pictures on photo_id = product_photos.id
        where octet_length(bytes) between 500 and 40000 group by product_id
      ) each group by photos`.execute(opened.db)
    const photos = [320, 640].flatMap((width) =>
      PHOTO_FORMATS.toSorted().map((format) => `${width} ${format}`),
    )
    expect(rows).toEqual([{ photos: photos.join(', '), products: newestFirst().length }])
  })

  it('keeps the order of the catalogue, and addresses that read well', async () => {
    const listed = await opened.db
      .selectFrom('products')
      .select(['name', 'slug'])
      .orderBy('id', 'desc')
      .execute()
    expect(listed.map(({ name }) => name)).toEqual(newestFirst().map(({ product }) => product.name))
    expect(listed[1]?.slug).toBe('harbour-wireless-headphones')
  })

  it('makes one admin and one customer', async () => {
    const people = await opened.db
      .selectFrom('users')
      .select(['email', 'is_admin'])
      .orderBy('email')
      .execute()
    expect(people).toEqual([
      { email: 'admin@example.com', is_admin: true },
      { email: 'customer@example.com', is_admin: false },
    ])
  })

  it('does nothing the second time', async () => {
    const before = await counts()
    await loadDemo(opened.db)
    expect(await counts()).toEqual(before)
  })
})

describe('a database in use', () => {
  let opened: OpenDatabase
  beforeAll(async () => {
    opened = await openTestDatabase()
  })
  afterEach(async () => {
    for (const table of ['users', 'products', 'categories'] as const) {
      await opened.db.deleteFrom(table).execute()
    }
  })
  afterAll(() => opened.close())

  it.each<[string, (db: Database) => Promise<unknown>]>([
    ['a user', (db) => addPerson(db)],
    ['a category', (db) => addCategory(db, 'Tools')],
  ])('is left as it is with %s', async (_what, add) => {
    await add(opened.db)
    await loadDemo(opened.db)
    expect(await isDemoLoaded(opened.db)).toBe(false)
    expect(await opened.db.selectFrom('products').select('id').execute()).toEqual([])
  })
})
