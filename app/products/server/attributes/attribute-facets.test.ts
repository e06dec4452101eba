import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Attribute } from '#app/products/attribute-contract.ts'
import type { FacetCounts } from '#app/products/facet-contract.ts'
import { keysParam } from '#app/products/facet-model.ts'
import { refreshStaleFacets } from '#app/products/server/facets/facets.ts'
import { SHOP } from '#app/shared/server/actor/actor.ts'
import { inTransaction } from '#app/shared/server/in-transaction.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { attributeCallsOf } from '#tests/support/attribute-calls.ts'
import { addCategory, addProduct, insertProducts } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'

const shop = testShop()

let token = ''
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
})
const { make, save, load } = variantCallsOf(shop, () => token)
const { added, choice, change, remove, listed, describeAs, shown } = attributeCallsOf(
  shop,
  () => token,
)

type List = { products: { name: string }[]; facets: { options: FacetCounts } }
const list = async ({ slug }: { slug: string }, ...keys: string[]) => {
  const { body } = await shop.get<List>(
    `/product/product-category/${slug}?facets=${encodeURIComponent(keysParam(keys))}`,
  )
  return {
    names: body.products.map(({ name }) => name).sort(),
    counts: Object.fromEntries(body.facets.options.map(({ key, count }) => [key, count])),
    values: body.facets.options.map(({ name, value }) => `${name}: ${value}`),
  }
}

/** Adds products by one statement. Returns their ids. */
async function addMany(category: { id: string }, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  const rows = ids.map((id) => ({
    id,
    name: 'Product',
    slug: `product-${id}`,
    description: 'Small',
    price_minor: 100,
    quantity: 1,
    category_id: category.id,
  }))
  await inTransaction(shop.db, SHOP, (tx) => insertProducts(tx, rows))
  return ids
}

describe('facets of attributes', () => {
  it('narrow lists beside options, mean one variant in stock, and leave their own group out', async () => {
    const category = await addCategory(shop.db, 'Shirts')
    const fabric = await choice('Fabric', 'Linen', 'Cotton')
    const [linen = '', cotton = ''] = fabric.choices.map(({ _id }) => _id)
    const shirt = await addProduct(shop.db, { category, name: 'Shirt', quantity: 3 })
    await make(shirt.id, [option(1, 'Colour', 'Red', 'Blue')])
    const towel = await addProduct(shop.db, { category, name: 'Towel', quantity: 3 })
    const gone = await addProduct(shop.db, { category, name: 'Gone', quantity: 0 })
    await describeAs(shirt, { [fabric._id]: cotton })
    await describeAs(towel, { [fabric._id]: linen })
    await describeAs(gone, { [fabric._id]: linen })
    const all = await list(category)
    expect(all.counts).toEqual({
      'colour:red': 1,
      'colour:blue': 1,
      'fabric:linen': 1,
      'fabric:cotton': 1,
    })
    // in the order of the choices
    expect(all.values.slice(2)).toEqual(['Fabric: Linen', 'Fabric: Cotton'])
    const narrowed = await list(category, 'colour:blue', 'fabric:cotton')
    expect(narrowed.names).toEqual(['Shirt'])
    expect(narrowed.counts).toEqual({ 'colour:red': 1, 'colour:blue': 1, 'fabric:cotton': 1 })
    expect((await list(category, 'fabric:linen')).names).toEqual(['Towel'])
    const blue = variantOf(await load(shirt.id), 'Blue')
    await save(shirt.id, {
      changed: [{ _id: blue._id, updatedAt: blue.updatedAt, quantity: { from: 10, to: 0 } }],
    })
    const none = await list(category, 'colour:blue', 'fabric:cotton')
    expect(none.names).toEqual([])
    // what is chosen can be taken back
    expect(none.counts).toMatchObject({ 'colour:blue': 0, 'fabric:cotton': 0 })
  })

  it('are at most a hundred of a group, the most frequent ones', async () => {
    const category = await addCategory(shop.db, 'Screws')
    const length = await added({ name: 'Length', kind: 'number', unit: 'mm' })
    const ids = await addMany(category, 102)
    await sql`
      insert into product_attributes (product_id, attribute_id, value)
      select id, ${length._id}::uuid, least(100, at - 1)::text
      from unnest(${ids}::uuid[]) with ordinality as screw (id, at)`.execute(shop.db)
    const { counts } = await list(category)
    expect([Object.keys(counts).length, counts['length:100 mm']]).toEqual([100, 2])
  })

  it('mean a variant in stock, also beside what is in stock', async () => {
    const category = await addCategory(shop.db, 'Belts')
    const belt = await addProduct(shop.db, { category, name: 'Belt', quantity: 0 })
    await make(belt.id, [option(1, 'Waist', '80', '90')])
    const { body } = await shop.get<{ total: number }>(
      `/product/product-category/${category.slug}?facets=waist%253A90&stock=in`,
    )
    expect(body.total).toBe(1)
  })

  it('of numbers are in their order, with the unit', async () => {
    const category = await addCategory(shop.db, 'Lamps')
    const power = await added({ name: 'Power', kind: 'number', unit: 'W' })
    for (const watts of ['100', '9', '12.5'])
      await describeAs(await addProduct(shop.db, { category, name: watts }), { [power._id]: watts })
    expect((await list(category)).values).toEqual(['Power: 9 W', 'Power: 12.5 W', 'Power: 100 W'])
  })

  it('follow each change: names, choices, the filter, values and deletion', async () => {
    const category = await addCategory(shop.db, 'Rugs')
    let wool = await choice('Pile', 'wool', 'Silk')
    const rug = await addProduct(shop.db, { category, name: 'Rug' })
    await describeAs(rug, { [wool._id]: wool.choices[0]?._id ?? '' })
    const values = async () => (await list(category)).values
    const edit = async (facts: Partial<Attribute>) => {
      wool = (await change(wool, facts)).body.attribute
      await refreshStaleFacets(shop.db)
    }
    expect(await values()).toEqual(['Pile: wool'])
    const [first, second] = wool.choices
    if (!first || !second) throw new Error('There are two choices.')
    await edit({ choices: [second, { ...first, name: 'Wool' }] })
    expect(await values()).toEqual(['Pile: Wool'])
    await edit({ name: 'Yarn', choices: [second, { ...first, name: 'Lambswool' }] })
    expect(await values()).toEqual(['Yarn: Lambswool'])
    expect(await shown(rug)).toEqual([{ name: 'Yarn', value: 'Lambswool' }])
    await edit({ isFilterable: false })
    expect(await values()).toEqual([])
    await edit({ isFilterable: true })
    expect(await values()).toEqual(['Yarn: Lambswool'])
    expect((await listed(wool._id))?.products).toBe(1)
    await edit({ choices: [second] })
    expect([await values(), await shown(rug)]).toEqual([[], undefined])
    await describeAs(rug, { [wool._id]: second._id })
    expect(await values()).toEqual(['Yarn: Silk'])
    expect((await remove(wool)).status).toBe(200)
    await refreshStaleFacets(shop.db)
    expect([await values(), await shown(rug), await listed(wool._id)]).toEqual([
      [],
      undefined,
      undefined,
    ])
    expect((await remove(wool)).status).toBe(404)
  })
})

describe('facets of many products', () => {
  it('follow a change of their attribute when a job has written them', async () => {
    const category = await addCategory(shop.db, 'Beads')
    const glass = await choice('Glass', 'Clear')
    const { choices } = glass
    const ids = await addMany(category, 301)
    await sql`
      insert into product_attributes (product_id, attribute_id, choice_id)
      select id, ${glass._id}::uuid, ${choices[0]?._id}::uuid
      from unnest(${ids}::uuid[]) as bead (id)`.execute(shop.db)
    expect((await list(category)).counts).toEqual({ 'glass:clear': 301 })
    expect((await change(glass, { name: 'Crystal' })).status).toBe(200)
    await refreshStaleFacets(shop.db)
    expect((await list(category)).counts).toEqual({ 'crystal:clear': 301 })
    await remove(glass)
    await refreshStaleFacets(shop.db)
    expect((await list(category)).counts).toEqual({})
  })
})
