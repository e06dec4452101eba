import { beforeAll, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#app/audit/admin-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { attributeCallsOf } from '#tests/support/attribute-calls.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
const UNKNOWN = '0197f9a0-0000-7000-8000-000000000000'

let token = ''
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
})
const { create, added, choice, change, listed, describeAs, shown } = attributeCallsOf(
  shop,
  () => token,
)

const valuesOf = async ({ slug }: { slug: string }) =>
  (
    await shop.get<{ product: { attributeValues: Record<string, string> } }>(
      `/product/stored-product/${slug}`,
      { token },
    )
  ).body.product.attributeValues

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
      [weight._id]: ' 00.50 ',
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
    await describeAs(product, { [potter._id]: 'Hans', [weight._id]: '\u0085 ' })
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
    expect(await shown({ slug })).toEqual([{ name: 'Clay', value: 'Stoneware' }])
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
    [{ name: 'Fit:size' }, 'name'],
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
