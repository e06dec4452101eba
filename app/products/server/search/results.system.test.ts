/** A shop in which words match more products than a search ranks. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ListedProduct, PAGE_SIZE } from '#app/products/contract.ts'
import type { FoundShop } from '#app/products/search-contract.ts'
import { MAX_RESULTS } from '#app/shared/contract/fields.ts'
import { seed } from '#bench/seed/seed.ts'
import { addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
beforeAll(() => seed(shop.db, { products: 6000 }))

const results = async (query: Record<string, string>) =>
  (await shop.get<FoundShop>(`/product/search-results?${new URLSearchParams(query)}`)).body
const ids = ({ products }: { products: Pick<ListedProduct, '_id'>[] }) =>
  products.map(({ _id }) => _id)

/** The number of products with all these words in their names. */
const count = async (...words: string[]) => {
  const has = words.map((word) => sql`name like ${`%${word}%`}`)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from products where ${sql.join(has, sql` and `)}`.execute(
    shop.db,
  )
  return rows[0]?.count
}

describe('where very much is found', () => {
  it('finds the newest thousand, and says that there are more', async () => {
    const found = await results({ keyword: 'workshop' })
    const newest = await shop.get<{ products: ListedProduct[] }>('/product/product-list/1')
    expect([found.total, found.isCut, found.facets.areCut]).toEqual([MAX_RESULTS, true, true])
    expect(ids(found)).toEqual(ids(newest.body))
    expect(found.products).toHaveLength(PAGE_SIZE)
  })

  it('finds the best thousand of a category', async () => {
    const { facets } = await results({ keyword: 'workshop' })
    const [mugs] = facets.categories.filter(({ name }) => name === 'Mugs')
    const found = await results({ keyword: 'workshop', category: mugs?._id ?? '' })
    expect([found.total, found.isCut]).toEqual([await count('Mug'), false])
    expect(new Set(found.products.map(({ category }) => category))).toEqual(new Set([mugs?._id]))
    expect(found.facets.categories).toHaveLength(facets.categories.length)
  })

  it('finds all that has two frequent words', async () => {
    expect(await results({ keyword: 'golden lamp' })).toMatchObject({
      total: await count('Golden', 'Lamp'),
      isCut: false,
    })
  })

  it('looks further where the newest have not what is asked for', async () => {
    const category = await shop.db.selectFrom('categories').select('id').executeTakeFirstOrThrow()
    const { rows } = await sql<{ id: string }>`
      select id from products order by id offset 3000 limit 1`.execute(shop.db)
    await shop.db
      .updateTable('products')
      .set({ name: sql`concat('Plain ', id)`, description: 'Made of velvet.' })
      .where('id', '<', rows[0]?.id ?? '')
      .execute()
    await addProduct(shop.db, { category, name: 'Lamp', description: 'Made of velvet.' })
    const { total, products } = await results({ keyword: 'velvet', sort: 'newest' })
    expect([total, products[0]?.name]).toEqual([MAX_RESULTS, 'Lamp'])
  })
  it('finds an old product by its name among a thousand newer ones', async () => {
    const oldest = await shop.db
      .selectFrom('products')
      .select('id')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    await shop.db
      .updateTable('products')
      .set({ name: 'Plain' })
      .where('id', '=', oldest.id)
      .execute()
    const { total, products } = await results({ keyword: 'plain' })
    expect([total, products[0]?.name]).toEqual([MAX_RESULTS, 'Plain'])
  })
})
