import { beforeEach, describe, expect, it } from 'vitest'
import type { ImportOptions, ImportStep } from '#app/products/admin-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'

const shop = testShop()
let token = ''
const { load, make, save } = variantCallsOf(shop, () => token)
let shelf = { id: '' }
beforeEach(async () => {
  await emptyTables(shop.db, ['categories', 'products', 'product_slugs', 'category_slugs'])
  token = (await addPerson(shop.db, { admin: true })).token
  shelf = await addCategory(shop.db, 'Shirts')
})

/** Imports a file; answers the last line. */
async function outcome(payload: string | Buffer, options: ImportOptions = {}) {
  const { body } = await shop.app.inject({
    method: 'POST',
    url: '/api/v1/product/import',
    query: Object.fromEntries(Object.entries(options).map(([name, on]) => [name, String(on)])),
    headers: { authorization: token, 'content-type': 'text/csv' },
    payload,
  })
  const last: ImportStep = JSON.parse(body.trim().split('\n').at(-1) ?? '')
  if (last.step !== 'done') throw new Error(body)
  return last
}
const problems = async (csv: string) => (await outcome(csv)).report.problems
const exported = async () => (await shop.get('/product/export', { token })).bytes.toString()

const HEADER =
  'slug,name,description,price,quantity,category,option1,value1,option2,value2,sku,barcode,compare_at_price,remove'
const file = (...rows: string[]) => [HEADER, ...rows].join('\n')
const shirt = file(
  'shirt,Shirt,Soft.,12.5,3,Shirts,Colour,Red,Size,S,R-S,4006381333931,15,',
  'shirt,,,13,4,,Colour,Red,Size,M,R-M,,,',
  'shirt,,,14,5,,,Blue,,S,,,,',
)
const idOf = async (slug: string) => {
  const rows = shop.db.selectFrom('products').where('slug', '=', slug).select('id')
  return (await rows.executeTakeFirstOrThrow()).id
}
const madeOf = async (csv: string) => {
  expect(await outcome(csv)).toMatchObject({ imported: true })
  return load(await idOf('shirt'))
}

/** All that an import could have touched. */
const everything = () =>
  Promise.all([
    shop.db.selectFrom('products').selectAll().orderBy('id').execute(),
    shop.db.selectFrom('variants').selectAll().orderBy('id').execute(),
    shop.db.selectFrom('option_values').selectAll().orderBy('id').execute(),
    shop.db.selectFrom('audit_log').select('id').orderBy('id').execute(),
  ])

describe('a file with a row for each variant', () => {
  it('makes a product of the rows of one slug, which are its variants in their order', async () => {
    const made = await madeOf(shirt)
    expect(made.options.map(({ name, values }) => [name, values.map((one) => one.name)])).toEqual([
      ['Colour', ['Red', 'Blue']],
      ['Size', ['S', 'M']],
    ])
    expect(made.variants).toHaveLength(3)
    const code = { sku: 'R-S', barcode: '4006381333931', compareAt: 15 }
    const first = { price: 12.5, quantity: 3, ...code }
    expect(variantOf(made, 'Red', 'S')).toMatchObject(first)
    expect(variantOf(made, 'Red', 'M')).toMatchObject({ price: 13, quantity: 4, sku: 'R-M' })
    expect(variantOf(made, 'Blue', 'S')).toMatchObject({ price: 14, quantity: 5, sku: null })
  })

  it('changes nothing when it is the exported one', async () => {
    const { product, ...made } = await madeOf(shirt)
    const order = made.variants.map(({ _id }) => _id).toReversed()
    await save(product._id, { order })
    const plain = await addProduct(shop.db, { category: shelf, name: 'Cap' })
    const [cap] = (await load(plain.id)).variants
    if (!cap) throw new Error('The cap has no variant.')
    const sku = { from: null, to: '=CAP' }
    await save(plain.id, { changed: [{ _id: cap._id, updatedAt: cap.updatedAt, sku }] })
    const before = await everything()
    const { report } = await outcome(await exported())
    expect(report).toMatchObject({ rows: 4, created: 0, updated: 0, unchanged: 2, wrong: 0 })
    expect(await everything()).toEqual(before)
  })

  it('brings back an exported catalogue in an empty shop', async () => {
    await madeOf(shirt)
    const csv = await exported()
    await emptyTables(shop.db, ['categories', 'products', 'product_slugs', 'category_slugs'])
    await outcome(csv, { createCategories: true })
    expect(await exported()).toBe(csv)
  })

  it('adds, changes and, where a row says so, removes variants; others stay', async () => {
    const before = await madeOf(shirt)
    const csv = file(
      'shirt,Shirt,Soft.,11,3,Shirts,Colour,red,Size,S,R-S,,,',
      'shirt,,,9,1,,,Green,,M,G-M,,10,',
      'shirt,,,,,,,Blue,,S,,,,yes',
    )
    const { message, report } = await outcome(csv)
    expect(report).toMatchObject({ rows: 3, updated: 1, wrong: 0 })
    expect(message).toContain('1 changed')
    const after = await load(before.product._id)
    expect(after.variants).toHaveLength(3)
    const { _id } = variantOf(before, 'Red', 'S')
    expect(variantOf(after, 'Red', 'S')).toMatchObject({ _id, price: 11, barcode: null })
    expect(variantOf(after, 'Green', 'M')).toMatchObject({ price: 9, compareAt: 10, quantity: 1 })
    expect(variantOf(after, 'Red', 'M')).toEqual(variantOf(before, 'Red', 'M'))
    expect(after.options[0]?.values.map(({ name }) => name)).toEqual(['Red', 'Green'])
  })

  it('gives options to a product that has none', async () => {
    const { slug, id } = await addProduct(shop.db, { category: shelf, name: 'Cap', quantity: 2 })
    await outcome(
      `slug,name,description,price,quantity,category,option1,value1\n${slug},Cap,Warm.,5,2,Shirts,Size,S\n${slug},,,6,7,,Size,L`,
    )
    const after = await load(id)
    expect(variantOf(after, 'S')).toMatchObject({ price: 5, quantity: 2 })
    expect(variantOf(after, 'L')).toMatchObject({ price: 6, quantity: 7 })
  })

  it('adds to the stock what was added to the read one, also after a sale', async () => {
    const made = await madeOf(shirt)
    const csv = await exported()
    const { _id } = variantOf(made, 'Blue', 'S')
    await shop.db.updateTable('variants').set({ quantity: 4 }).where('id', '=', _id).execute()
    await outcome(csv.replace('"",14,5,', '"",14,8,'))
    expect(variantOf(await load(made.product._id), 'Blue', 'S').quantity).toBe(7)
  })

  it('leaves variants as they are without the columns of variants', async () => {
    const made = await madeOf(shirt)
    await outcome('slug,price\nshirt,20')
    const after = await load(made.product._id)
    expect(variantOf(after, 'Red', 'S').price).toBe(20)
    expect(after.variants.slice(1)).toEqual(made.variants.slice(1))
    expect(after.options).toEqual(made.options)
  })

  it('names line and column of what cannot be, and imports no half of a product', async () => {
    const other = await addProduct(shop.db, { category: shelf })
    await make(other.id, [option(1, 'Size', 'S', 'M')])
    const [variant] = (await load(other.id)).variants
    if (!variant) throw new Error('There is no variant.')
    const sku = { from: null, to: 'TAKEN' }
    const sent = { _id: variant._id, updatedAt: variant.updatedAt, sku }
    await save(other.id, { changed: [sent] })
    const start = 'shirt,Shirt,Soft.,12,3,Shirts,Colour'
    const cases: [string[], { line: number; reason: unknown }[]][] = [
      [
        [`${start},Red,,,,,,`, 'shirt,,,1,1,,,RED,,,,,,'],
        [{ line: 3, reason: 'The same variant is already in line 2.' }],
      ],
      [
        [`${start},Red,,,A,,,`, 'shirt,,,1,1,,,Blue,,,A,,,'],
        [{ line: 3, reason: 'sku: A is already in line 2.' }],
      ],
      [[`${start},Red,,,TAKEN,,,`], [{ line: 2, reason: 'sku: Clay cup has TAKEN already.' }]],
      [
        [`${start},Red,,,,4006381333932,,`],
        [{ line: 2, reason: expect.stringMatching(/^barcode: .*last digit/) }],
      ],
      [
        [`${start},Red,,,,,12,`, 'shirt,,,x,1,,,Blue,,,,,,', 'shirt,,,1,1,,,,,,,,,'],
        [
          {
            line: 2,
            reason: 'compare_at_price has to be higher than the price.',
          },
          { line: 3, reason: 'price must be a number.' },
          { line: 4, reason: 'value1 is required.' },
        ],
      ],
      [
        [`${start},Red,,,,,12,`, 'shirt,,,1,1,,,Blue,,,,,,'],
        [{ line: 2, reason: expect.stringMatching(/^compare_at_price: .*higher/) }],
      ],
      [
        [`${start},Red,,,,,,`, 'shirt,,,1,1,,Size,Blue,,,,,,', 'shirt,,,1,1,,,,,,,,,'],
        [
          { line: 3, reason: 'option1 is not that of the first row of the product, line 2.' },
          { line: 4, reason: 'value1 is required.' },
        ],
      ],
      [
        [`${start},Red,,,,,,`, 'cap,Cap,Warm.,1,1,Shirts,,,,,,,,', 'shirt,,,1,1,,,Blue,,,,,,'],
        [2, 4].map((line) => ({
          line,
          reason: expect.stringMatching(/^The rows of shirt are apart: .* lines 2 and 4\./),
        })),
      ],
      [
        [`${other.slug},Cup,Tea.,1,1,Shirts,,,,,,,,`],
        [
          {
            line: 2,
            reason: 'option1: the product has the option Size, which the file has to name.',
          },
        ],
      ],
      [
        [`${other.slug},Cup,Tea.,1,1,Shirts,Size,S,,,,,,yes`, `${other.slug},,,,,,Size,M,,,,,,yes`],
        [{ line: 2, reason: expect.stringContaining('at least one variant') }],
      ],
    ]
    const before = await everything()
    for (const [rows, expected] of cases) expect(await problems(file(...rows))).toEqual(expected)
    expect(await everything()).toEqual(before)
  })

  it('takes a SKU that is the barcode of another product', async () => {
    const { id } = await addProduct(shop.db, { category: shelf, name: 'Cap' })
    const [{ _id = '', updatedAt = '' } = {}] = (await load(id)).variants
    await save(id, { changed: [{ _id, updatedAt, barcode: { from: null, to: '40063812' } }] })
    const made = await madeOf(file('shirt,Shirt,Soft.,1,1,Shirts,Size,S,,,40063812,,,'))
    expect(made.variants).toMatchObject([{ sku: '40063812' }])
  })

  it('takes 500 variants, and refuses one more', async () => {
    const rows = Array.from({ length: 500 }, (_, n) => {
      const values = `Colour,${n % 25},Size,${Math.floor(n / 25)}`
      return n === 0 ? `shirt,Shirt,Soft.,1,1,Shirts,${values},,,,` : `shirt,,,1,1,,${values},,,,`
    })
    const more = 'shirt,,,1,1,,Colour,x,Size,x,,,,'
    expect(await problems(file(...rows, more))).toEqual([
      { line: 502, reason: 'A product has at most 500 variants.' },
    ])
    expect((await madeOf(file(...rows))).variants).toHaveLength(500)
    expect(await problems(file(`shirt,Shirt,Soft.,1,1,Shirts,Colour,0,Size,0,,,,`, more))).toEqual([
      { line: 2, reason: 'A product has at most 500 variants; these are 501.' },
    ])
  })
})
