import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ImportOptions, ImportStep } from '#app/products/admin-contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let token = ''
let shelf: Awaited<ReturnType<typeof addCategory>>
beforeEach(async () => {
  await emptyTables(shop.db, ['categories', 'products', 'product_slugs', 'category_slugs'])
  token = (await addPerson(shop.db, { admin: true })).token
  shelf = await addCategory(shop.db, 'Cups')
})

const send = (csv: string | Buffer, options: ImportOptions = {}, type = 'text/csv') =>
  shop.app.inject({
    method: 'POST',
    url: '/api/v1/product/import',
    query: Object.fromEntries(Object.entries(options).map(([name, on]) => [name, String(on)])),
    headers: { authorization: token, 'content-type': type },
    payload: csv,
  })

/** The last line of the answer. */
async function outcome(csv: string | Buffer, options?: ImportOptions) {
  const { body } = await send(csv, options)
  const steps: ImportStep[] = body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const last = steps.at(-1)
  if (last?.step !== 'done') throw new Error(body)
  return { ...last, steps }
}

const problems = async (csv: string, options?: ImportOptions) =>
  (await outcome(csv, options)).report.problems

const HEADER = 'slug,name,description,price,quantity,category,shipping'
const file = (...rows: string[]) => [HEADER, ...rows].join('\r\n')

const products = () =>
  shop.db
    .selectFrom('products')
    .innerJoin('categories', 'categories.id', 'products.category_id')
    .innerJoin('variants', 'variants.id', 'listed_variant_id')
    .orderBy('products.id')
    .select([
      'products.slug',
      'products.name',
      'description',
      'price_minor',
      'quantity',
      'shipping',
      'categories.name as category',
    ])
    .execute()

describe('POST /product/import', () => {
  it('adds what has no slug or an unknown one, changes what has one, and counts', async () => {
    const cup = await addProduct(shop.db, { category: shelf })
    const same = await addProduct(shop.db, { category: shelf, name: 'Same' })
    const csv = file(
      'tea-pot,Tea pot,"Holds tea,\r\nand ""more"".",20,3,cups,yes',
      ',Tea pot,Another.,19.90,0,CUPS,',
      `${cup.slug},Big cup,Holds more tea.,13,9, Cups ,0`,
      `${same.slug},Same,Holds tea.,12.50,10,Cups,no`,
    )
    const { steps, success, imported, message, report } = await outcome(csv)
    expect(steps.slice(0, -1)).toEqual([
      { step: 'checking', rows: 4 },
      { step: 'writing', rows: 4, of: 4 },
    ])
    expect({ success, imported }).toEqual({ success: true, imported: true })
    expect(message).toBe('The products are imported: 2 new, 1 changed, 1 unchanged.')
    expect(report).toMatchObject({ rows: 4, created: 2, updated: 1, unchanged: 1, wrong: 0 })
    const common = { shipping: false, category: 'Cups' }
    expect(await products()).toEqual([
      {
        ...common,
        slug: cup.slug,
        name: 'Big cup',
        description: 'Holds more tea.',
        price_minor: 1300,
        quantity: 9,
      },
      expect.objectContaining({ name: 'Same', price_minor: 1250 }),
      {
        slug: 'tea-pot',
        name: 'Tea pot',
        description: 'Holds tea,\nand "more".',
        price_minor: 2000,
        quantity: 3,
        shipping: true,
        category: 'Cups',
      },
      {
        ...common,
        slug: 'tea-pot-2',
        name: 'Tea pot',
        description: 'Another.',
        price_minor: 1990,
        quantity: 0,
      },
    ])
    expect((await shop.get('/product/get-product/tea-pot-2')).status).toBe(200)
  })

  it('only says what it would do in a dry run', async () => {
    const csv = file(',Mug,Big.,5,1,Mugs,', ',Cup,Small.,5,1,Cups,')
    const options = { dryRun: true, createCategories: true }
    const { success, imported, report } = await outcome(csv, options)
    expect({ success, imported }).toEqual({ success: true, imported: false })
    expect(report).toMatchObject({ created: 2, categories: 1, wrong: 0 })
    expect(await products()).toEqual([])
  })

  it('creates categories when asked, once, whatever the case', async () => {
    const csv = file(',Mug,Big.,5,1,Big Mugs,', ',Cup,Small.,5,1,big  mugs,')
    expect(await problems(csv)).toEqual(
      [
        { line: 2, reason: 'There is no category "Big Mugs".' },
        { line: 3, reason: 'There is no category "big mugs".' },
      ].map((one, at) =>
        at === 0 ? one : { ...one, reason: 'There is no category "big  mugs".' },
      ),
    )
    const { report } = await outcome(csv, { createCategories: true })
    expect(report).toMatchObject({ created: 2, categories: 1 })
    expect((await products()).map(({ category }) => category)).toEqual(['Big Mugs', 'Big Mugs'])
  })

  it('refuses the whole for one wrong row, and leaves it out when asked', async () => {
    const csv = file(',Mug,Big.,5,1,Cups,', ',,Small.,5,1,Cups,')
    const refused = await outcome(csv)
    expect(refused).toMatchObject({ success: false, imported: false })
    expect(refused.message).toBe('1 of 2 rows is invalid. Nothing was imported.')
    expect(await products()).toEqual([])
    expect(await outcome(csv, { partial: true })).toMatchObject({
      success: true,
      imported: true,
      report: { created: 1, wrong: 1 },
      message:
        'The products are imported: 1 new, 0 changed, 0 unchanged. 1 of 2 rows is invalid and skipped.',
    })
    expect(await products()).toHaveLength(1)
  })

  it('names every wrong row by the line it starts in, and why', async () => {
    const csv = file(
      ',Mug,"Two\r\nlines",5.999,1,Cups,',
      '',
      ',Mug,Big.,1e309,1,Cups,',
      ',Mug,Big.,-1,1,Cups,',
      ',Mug,Big.,"12,50",1,Cups,',
      ',Mug,Big.,5,1.5,Cups,',
      ',Mug,Big.,5,NaN,Cups,',
      ',Mug,Big.,5,1,Cups,perhaps',
      `,${'x'.repeat(201)},Big.,5,1,Cups,`,
      ',Mug\0,Big.,5,1,Cups,',
      ',Mug,Big.,5,1',
      'Mug!,Mug,Big.,5,1,Cups,',
      'mug,Mug,Big.,5,1,Cups,',
      'mug,Mug,Big.,5,1,Cups,',
      ',Mug,Big.,1000001,1,Cups,',
      ',Mug,Big.,5,,Cups,',
    )
    expect(await problems(csv)).toEqual([
      {
        line: 2,
        reason: 'price: “5.999” can be read as 5999.00 or as 5.99. Write the one that is meant.',
      },
      { line: 5, reason: 'price must be a number.' },
      { line: 6, reason: 'price must be at least 0.' },
      { line: 8, reason: 'quantity must be a whole number.' },
      { line: 9, reason: 'quantity must be a whole number.' },
      { line: 10, reason: 'shipping must be a whole number.' },
      { line: 11, reason: 'name may have at most 200 characters.' },
      { line: 12, reason: 'name has characters that are not allowed.' },
      { line: 13, reason: 'category is required.' },
      {
        line: 14,
        reason: 'slug may have only lower-case letters, digits and single hyphens between them.',
      },
      { line: 16, reason: 'The same product is already in line 15.' },
      { line: 17, reason: 'price must be at most ₹1,000,000.00.' },
      { line: 18, reason: 'quantity is required.' },
    ])
  })

  it('tells a hundred wrong rows and counts the others', async () => {
    const { report } = await outcome(file(...Array.from({ length: 700 }, () => ',,,,,,x')))
    expect(report).toMatchObject({ rows: 700, wrong: 700 })
    expect(report.problems).toHaveLength(100)
  })

  it('keeps what the file has no column for', async () => {
    const cup = await addProduct(shop.db, { category: shelf })
    await outcome(`Price , SLUG\n7,${cup.slug}\n`)
    expect(await products()).toMatchObject([{ name: 'Clay cup', quantity: 10, price_minor: 700 }])
    expect(await problems('slug,price\nmug,7')).toEqual([
      {
        line: 2,
        reason: 'A new product needs a name, a description, a quantity and a category.',
      },
    ])
  })

  it('finds a product by a former address, and does not take it for two', async () => {
    const cup = await addProduct(shop.db, { category: shelf })
    await shop.db.insertInto('product_slugs').values({ slug: 'old', product_id: cup.id }).execute()
    expect(await problems(`slug,price\n${cup.slug},7\nold,8`)).toEqual([
      { line: 3, reason: 'The same product is already in line 2.' },
    ])
    await outcome('slug,price\nold,8')
    expect(await products()).toMatchObject([{ slug: cup.slug, price_minor: 800 }])
  })

  it('gives addresses that the file does not give to others, however many have one name', async () => {
    const many = Array.from({ length: 30 }, () => ',Mug,Big.,5,1,Cups,')
    await outcome(file(...many, 'mug,First,Big.,5,1,Cups,', 'mug-2,Second,Big.,5,1,Cups,'))
    const named = new Map((await products()).map(({ slug, name }) => [slug, name]))
    expect(named.size).toBe(32)
    expect([named.get('mug'), named.get('mug-2'), named.get('mug-3')]).toEqual([
      'First',
      'Second',
      'Mug',
    ])
  })

  it.each([
    ['an empty file', '', 'The file is empty. Its first line must name the columns.'],
    [
      'an unknown column',
      'slug,colour',
      'There is no column "colour". Use the file of Export products,',
    ],
    ['a column that is there twice', 'slug,price,Price', 'The column price appears twice.'],
    ['no column to go by', 'price,quantity', 'The file needs a column slug'],
    ['another encoding', Buffer.from('slug,name\n,Caf\xe9,', 'latin1'), 'not UTF-8'],
    ['UTF-16', Buffer.from('\ufeffslug,name', 'utf16le'), 'not UTF-8'],
  ])('refuses %s', async (_what, csv, reason) => {
    const { statusCode, body } = await send(csv)
    expect(statusCode).toBe(400)
    expect(JSON.parse(body).message).toContain(reason)
  })

  it('refuses what is no CSV, and a file over 50 MB', async () => {
    expect((await send('{}', {}, 'application/json')).statusCode).toBe(415)
    expect((await send(Buffer.alloc(50 * 2 ** 20 + 1, 'a'))).statusCode).toBe(413)
  })

  it('says where a quotation mark is missing', async () => {
    const { body } = await send(file(',Mug,Big.,5,1,Cups,', ',"Mug,Big.,5,1,Cups,'))
    expect(body).toContain('The row that starts in line 3 cannot be read')
    expect(await products()).toEqual([])
  })

  it('reads what a spreadsheet writes: a byte order mark, semicolons', async () => {
    await outcome('\ufeffname;description;price;quantity;category\r\nMug;"Big; blue";5;1;Cups\r\n')
    expect(await products()).toMatchObject([{ slug: 'mug', description: 'Big; blue' }])
  })

  it('brings back the catalogue that was exported', async () => {
    const names = ['=1+1', "'=1", "'Tis", '-5', '@x', 'Tea, "pot"', 'नमस्ते', '🫖']
    for (const name of names)
      await addProduct(shop.db, { category: shelf, name, description: `+${name}\n-` })
    await shop.db.updateTable('products').set({ slug: sql`'p-' || right(id::text, 12)` }).execute()
    await sql`update product_slugs set slug = 'p-' || right(product_id::text, 12)`.execute(shop.db)
    const before = await products()
    const { bytes } = await shop.get('/product/export', { token })
    expect((await outcome(bytes)).report).toMatchObject({ rows: 8, unchanged: 8 })
    await emptyTables(shop.db, ['categories', 'products', 'product_slugs', 'category_slugs'])
    expect((await outcome(bytes, { createCategories: true })).report).toMatchObject({ created: 8 })
    expect(await products()).toEqual(before)
  })

  it('brings back a draft as a draft, and refuses an unknown status', async () => {
    const draft = 'name,description,price,quantity,category,status\nHat,Warm.,9,1,Tea,Draft'
    const statuses = async () =>
      (await shop.db.selectFrom('products').select('status').execute()).map(({ status }) => status)
    await outcome(draft, { createCategories: true })
    expect(await statuses()).toEqual(['draft'])
    const { bytes } = await shop.get('/product/export', { token })
    await emptyTables(shop.db, ['products', 'product_slugs'])
    await outcome(bytes)
    expect(await statuses()).toEqual(['draft'])
    const { report } = await outcome(draft.replace('Draft', 'secret'))
    expect(report.problems).toMatchObject([{ line: 2 }])
  })

  it('reads what is sent, whatever file of the shop the address names', async () => {
    const elsewhere = { path: new URL(import.meta.url).pathname } as ImportOptions
    expect((await outcome(file(',Jug,Pours.,3,1,Cups,'), elsewhere)).report.created).toBe(1)
  })
})
