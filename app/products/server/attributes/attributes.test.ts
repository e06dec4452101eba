import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#app/audit/admin-contract.ts'
import type { Attribute, AttributeForm } from '#app/products/attribute-contract.ts'
import type { DetailedProduct } from '#app/products/contract.ts'
import type { FacetCounts } from '#app/products/facet-contract.ts'
import { keysParam } from '#app/products/facet-model.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'

const shop = testShop()
const UNKNOWN = '0197f9a0-0000-7000-8000-000000000000'

let token = ''
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
})
const { make, save, load } = variantCallsOf(shop, () => token)

const NEW: AttributeForm = {
  name: 'Material',
  kind: 'text',
  unit: null,
  isFilterable: true,
  choices: [],
}
type Saved = { message: string; attribute: Attribute; fields?: { field: string }[] }
const create = (facts: object) =>
  shop.post<Saved>('/product/attributes', { token, body: { ...NEW, ...facts } })
const added = async (facts: object) => (await create(facts)).body.attribute
const choice = (name: string, ...names: string[]) =>
  added({ name, kind: 'choice', choices: names.map((name) => ({ name })) })
const change = ({ _id, products: _, ...attribute }: Attribute, facts: object) =>
  shop.put<Saved>(`/product/attributes/${_id}`, { token, body: { ...attribute, ...facts } })
const remove = ({ _id }: { _id: string }) => shop.delete(`/product/attributes/${_id}`, { token })
const listed = async (id: string) =>
  (await shop.get<Attribute[]>('/product/attributes', { token })).body.find(({ _id }) => _id === id)

type Sold = { id: string; slug: string }
const describeAs = ({ id }: Sold, values: Record<string, string>) =>
  shop.put<{ message: string }>(`/product/update-product/${id}`, {
    token,
    body: formOf({ attributes: JSON.stringify(values) }),
  })
const shown = async ({ slug }: Sold) =>
  (await shop.get<{ product: DetailedProduct }>(`/product/get-product/${slug}`)).body.product
    .attributes
const valuesOf = async ({ slug }: Sold) =>
  (
    await shop.get<{ product: { attributeValues: Record<string, string> } }>(
      `/product/stored-product/${slug}`,
      { token },
    )
  ).body.product.attributeValues

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

describe('the attributes of a product', () => {
  it('are of four kinds, and are shown on its page by name', async () => {
    const product = await addProduct(shop.db, { category: await addCategory(shop.db, 'Cups') })
    const glaze = await choice('Glaze', 'Celadon', 'Tenmoku')
    const weight = await added({ name: 'Weight', kind: 'number', unit: 'kg' })
    const safe = await added({ name: 'Dishwasher-safe', kind: 'yes_no' })
    const potter = await added({ name: 'Potter' })
    expect(await shown(product)).toBeUndefined()
    const values = {
      [glaze._id]: glaze.choices[1]?._id ?? '',
      [weight._id]: ' 0.50 ',
      [safe._id.toUpperCase()]: 'no',
      [potter._id]: ' <b>Lucie</b> ',
    }
    expect((await describeAs(product, values)).status).toBe(200)
    expect(await shown(product)).toEqual([
      { name: 'Dishwasher-safe', value: false },
      { name: 'Glaze', value: 'Tenmoku' },
      { name: 'Potter', value: '<b>Lucie</b>' },
      { name: 'Weight', value: 0.5, unit: 'kg' },
    ])
    expect(await valuesOf(product)).toEqual({
      [glaze._id]: glaze.choices[1]?._id,
      [weight._id]: '0.5',
      [safe._id]: 'no',
      [potter._id]: '<b>Lucie</b>',
    })
    // a form that sends no attributes leaves them; an empty value is none
    await shop.put(`/product/update-product/${product.id}`, { token, body: formOf({ price: 3 }) })
    expect(await shown(product)).toHaveLength(4)
    await describeAs(product, { [potter._id]: 'Hans', [weight._id]: ' ' })
    expect(await shown(product)).toEqual([{ name: 'Potter', value: 'Hans' }])
  })

  it('come with a new product, and in the history by their names', async () => {
    const category = await addCategory(shop.db, 'Bowls')
    const clay = await choice('Clay', 'Stoneware', 'Porcelain')
    const [stoneware, porcelain] = clay.choices.map(({ _id }) => _id)
    const form = { name: 'Bowl', description: 'Deep', price: 9, quantity: 2, category: category.id }
    const { status, body } = await shop.post<{ products: { _id: string; slug: string } }>(
      '/product/create-product',
      { token, body: formOf({ ...form, attributes: JSON.stringify({ [clay._id]: stoneware }) }) },
    )
    expect(status).toBe(201)
    const { _id: id, slug } = body.products
    expect(await shown({ id, slug })).toEqual([{ name: 'Clay', value: 'Stoneware' }])
    await describeAs({ id, slug }, { [clay._id]: porcelain ?? '' })
    const history = await shop.get<AuditEntry[]>(`/audit-log?object=${id}`, { token })
    const changes = history.body.filter(({ object }) => object.kind === 'product_attributes')
    expect(changes.map(({ action, changes }) => [action, changes])).toEqual([
      [
        'insert',
        expect.arrayContaining([
          { field: 'attribute_id', before: null, after: 'Clay' },
          { field: 'choice_id', before: null, after: 'Porcelain' },
        ]),
      ],
      ['delete', expect.anything()],
      ['insert', expect.anything()],
    ])
  })

  it.each([
    ['{', 'attributes is not JSON.'],
    ['["yes"]', 'attributes must be an object of texts.'],
    ['null', 'attributes must be an object of texts.'],
    ['{"a":1}', 'attributes must be an object of texts.'],
    [JSON.stringify({ a: 'x' }), 'does not exist any more'],
    [JSON.stringify({ [UNKNOWN]: 'x' }), 'does not exist any more'],
    [JSON.stringify({ ['__proto__']: 'x' }), 'does not exist any more'],
  ])('are refused as %s, and the product stays', async (attributes, message) => {
    const product = await addProduct(shop.db, { category: await addCategory(shop.db, attributes) })
    const { status, body } = await shop.put<{ message: string }>(
      `/product/update-product/${product.id}`,
      { token, body: formOf({ name: 'Changed', attributes }) },
    )
    expect([status, body.message]).toEqual([400, expect.stringContaining(message)])
    expect((await shop.get(`/product/get-product/${product.slug}`)).body).toMatchObject({
      product: { name: product.name },
    })
  })

  it('have values of their kind', async () => {
    const product = await addProduct(shop.db, { category: await addCategory(shop.db, 'Vases') })
    const [wide, other] = [await choice('Width', 'Wide'), await choice('Other', 'Narrow')]
    const height = await added({ name: 'Height', kind: 'number', unit: 'cm' })
    const handmade = await added({ name: 'Handmade', kind: 'yes_no' })
    for (const [attribute, value] of [
      [wide, other.choices[0]?._id],
      [wide, 'Wide'],
      [wide, UNKNOWN],
      [height, '1e3'],
      [height, '12,5'],
      [height, 'Infinity'],
      [handmade, 'maybe'],
    ] as const)
      expect((await describeAs(product, { [attribute._id]: value ?? '' })).status).toBe(400)
    expect(await shown(product)).toBeUndefined()
  })
})

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
    expect((await list(category, 'colour:blue', 'fabric:cotton')).names).toEqual([])
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
    expect([await values(), await shown(rug), await listed(wool._id)]).toEqual([
      [],
      undefined,
      undefined,
    ])
    expect((await remove(wool)).status).toBe(404)
  })
})

describe('POST and PUT /product/attributes', () => {
  it.each([
    [{ kind: 'choice' }, 'choices'],
    [{ kind: 'choice', choices: [{ name: 'Oak' }, { name: ' OAK ' }] }, 'choices'],
    [{ kind: 'choice', choices: [{ name: ' ' }] }, 'choices.0.name'],
    [{ kind: 'choice', choices: [{}] }, 'choices.0.name'],
    [{ kind: 'choice', choices: null }, 'choices'],
    [{ choices: [{ name: 'Oak' }] }, 'choices'],
    [{ unit: 'kg' }, 'unit'],
    [{ kind: 'number', unit: ' ' }, 'unit'],
    [{ kind: 'colour' }, 'kind'],
    [{ name: '' }, 'name'],
  ])('refuse %j', async (facts, field) => {
    const { status, body } = await create(facts)
    expect([status, body.fields?.map(({ field }) => field)]).toEqual([400, [field]])
  })

  it('refuse a name that is there in other case, and another kind', async () => {
    const oak = await choice('Wood', 'Oak')
    expect((await create({ name: ' wOOD ' })).status).toBe(409)
    expect((await change(oak, { kind: 'text', choices: [] })).status).toBe(400)
    expect((await change({ ...oak, _id: UNKNOWN }, {})).status).toBe(404)
  })

  it('never overwrite a change that was not seen', async () => {
    const before = await choice('Finish', 'Oiled', 'Waxed')
    await change(before, { choices: before.choices.slice(1) })
    for (const updatedAt of [before.updatedAt, undefined])
      expect((await change(before, { updatedAt })).status).toBe(409)
    expect((await listed(before._id))?.choices.map(({ name }) => name)).toEqual(['Waxed'])
  })
})
