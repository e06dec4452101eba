import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ImportStep } from '#app/products/admin-contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { emptyTables } from '#tests/support/empty-tables.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop({ CURRENCY_DISPLAY: 'USD' })
let admin: Person
const settings = settingsThrough(shop, () => admin)
beforeEach(async () => {
  await emptyTables(shop.db, ['categories', 'products', 'product_slugs', 'category_slugs'])
  admin = await addPerson(shop.db, { admin: true })
  await addCategory(shop.db, 'Keramik')
  await setLocale('en-US')
})

const setLocale = (locale: string) => settings.save({ locale })

const send = (payload: string | Buffer) =>
  shop.app.inject({
    method: 'POST',
    url: '/api/v1/product/import',
    headers: { authorization: admin.token, 'content-type': 'text/csv' },
    payload,
  })

async function outcome(csv: string) {
  const { body } = await send(csv)
  const last: ImportStep = JSON.parse(body.trim().split('\n').at(-1) ?? '')
  if (last.step !== 'done') throw new Error(body)
  return last
}
const problems = async (csv: string) => (await outcome(csv)).report.problems
const stored = () =>
  shop.db
    .selectFrom('products')
    .innerJoin('variants', 'variants.product_id', 'products.id')
    .orderBy('name')
    .select(['name', 'price_minor', 'quantity', 'weight_grams'])
    .select(['sku', 'barcode', 'compare_at_minor'])
    .execute()

const HEADER = 'name;description;price;quantity;category'
const file = (...rows: string[]) => [HEADER, ...rows].join('\r\n')
const cup = (price: string, quantity = '3') => `Tasse;Steinzeug;${price};${quantity};Keramik`

describe('numbers of a file', () => {
  it('are read as the other numbers of the file are written, in any locale of the shop', async () => {
    for (const locale of ['en-US', 'de-DE']) {
      await setLocale(locale)
      await emptyTables(shop.db, ['products', 'product_slugs'])
      await outcome(file(`Schrank;Massiv;1.200;1.000;Keramik`, cup('12,50')))
      expect(await stored()).toMatchObject([
        { name: 'Schrank', price_minor: 120_000, quantity: 1000 },
        { name: 'Tasse', price_minor: 1250 },
      ])
    }
    await emptyTables(shop.db, ['products', 'product_slugs'])
    await outcome(file(`Schrank;Massiv;1.200;3;Keramik`, cup('12.50')))
    expect(await stored()).toMatchObject([{ price_minor: 120 }, { price_minor: 1250 }])
  })

  it('are thousands where semicolons and the locale of the shop say so', async () => {
    await setLocale('de-DE')
    await outcome(file(cup('1.200')))
    expect(await stored()).toMatchObject([{ price_minor: 120_000 }])
  })

  it.each([
    ['en-US', ';', '1.200', '1200.00 or as 1.20'],
    ['en-US', ',', '1.200', '1200.00 or as 1.20'],
    ['de-DE', ',', '1.200', '1200,00 or as 1,20'],
    ['de-DE', ';', '1,200', '1200,00 or as 1,20'],
    ['fr-FR', ';', '1.200', '1200,00 or as 1,20'],
    ['de-DE', '\t', '1.200', '1200,00 or as 1,20'],
  ])('in %s between "%s" refuse %s with both readings', async (locale, delimiter, price, both) => {
    await setLocale(locale)
    const csv = file(cup(`"${price}"`)).replaceAll(';', delimiter)
    const reason = `price: “${price}” can be read as ${both}. Write the one that is meant.`
    expect(await problems(csv)).toEqual([{ line: 2, reason }])
  })

  it('refuse what could be both where the file has both separators', async () => {
    await setLocale('de-DE')
    const csv = file(cup('12,50'), cup('12.50'), cup('1.200'))
    expect(await problems(csv)).toMatchObject([{ line: 4 }])
  })

  it.each([
    ['1.299,00', 129_900],
    ['1.234.567', null],
    ['1 299,00', 129_900],
    ['1’299.00', 129_900],
    ['12,5', 1250],
    ['€ 12,50', 1250],
    ['12,50 €', 1250],
    ['USD 12.50', 1250],
    ['49,900000', 4990],
    ['-1,00', 'price must be at least 0.'],
    ['1e3', 'price must be a number.'],
    ['12 kg', 'price must be a number.'],
    ['1,2,3', 'price must be a number.'],
    ['12,345,6', 'price must be a number.'],
  ])('read %s', async (price, expected) => {
    const { report } = await outcome(file(cup(price)))
    if (typeof expected === 'number')
      expect(await stored()).toMatchObject([{ price_minor: expected }])
    else expect(report.problems).toMatchObject([{ line: 2, ...(expected && { reason: expected }) }])
  })

  it('are read so in every column of numbers', async () => {
    const header = `${HEADER};weight_grams;compare_at_price;sku`
    const row = 'Schrank;Massiv;1.200,00;1.000;Keramik;12.500;1.499,90;S1'
    await outcome([header, row].join('\n'))
    expect(await stored()).toMatchObject([
      { price_minor: 120_000, quantity: 1000, weight_grams: 12_500, compare_at_minor: 149_990 },
    ])
  })
})

describe('a list that LibreOffice saved with a German locale', () => {
  const saved = readFileSync(new URL('libreoffice-de.csv', import.meta.url), 'utf8')

  it.each(['en-US', 'de-DE'])('is read right in %s: semicolons, 1.200,00', async (locale) => {
    await setLocale(locale)
    await addCategory(shop.db, 'Möbel')
    expect((await outcome(saved)).message).toBe(
      'The products are imported: 200 new, 0 changed, 0 unchanged.',
    )
    const byName = new Map((await stored()).map((one) => [one.name, one]))
    expect(byName.get('Krug Nº 4')).toMatchObject({ price_minor: 120_000, quantity: 21 })
    expect(byName.get('Teller Nº 5')).toMatchObject({ price_minor: 129_990, sku: '00005' })
    expect(byName.get('Läufer Nº 9')).toMatchObject({ price_minor: 50, weight_grams: 346 })
    expect(byName.get('Öllampe Nº 200')).toMatchObject({ price_minor: 251_800, quantity: 1393 })
    const sum = [...byName.values()].reduce((total, one) => total + Number(one.price_minor), 0)
    expect(sum).toBe(12_475_000)
    // the export as a spreadsheet saves it: decimal commas, and codes that it took for numbers
    const { bytes } = await shop.get('/product/export', { token: admin.token })
    const again = bytes
      .toString()
      .replace(/,(\d+)\.(\d+),/g, ',"$1,$2",')
      .replace(/,"0+(\d+)",/g, ',$1,')
    expect((await outcome(again)).report).toMatchObject({ rows: 200, unchanged: 200 })
  })
})

describe('what spreadsheets leave behind', () => {
  it.each([
    [
      'columns without a name',
      'name;description;price;quantity;category;;;\nTasse;A;12;3;Keramik;;;',
    ],
    ['a line that names the separator', `sep=;\r\n${file(cup('12'))}`],
    ['the same line in quotes', `\ufeff"sep=;"\r\n${file(cup('12'))}`],
    ['rows without their last cells', `${HEADER};weight_grams\r\n${cup('12')}`],
    ['a row with cells too many', `${file(cup('12'))};;`],
  ])('is tolerated: %s', async (_what, csv) => {
    expect(await outcome(csv)).toMatchObject({ success: true, report: { rows: 1, created: 1 } })
    expect(await stored()).toMatchObject([{ price_minor: 1200 }])
  })

  it('is refused where it has a text', async () => {
    expect(await problems(`${HEADER};\n${cup('12')};text`)).toEqual([
      { line: 2, reason: 'Column 6 has no name.' },
    ])
    expect(await problems(`sep=;\n${file(`${cup('12')};text`)}`)).toEqual([
      { line: 3, reason: 'The row has 6 cells instead of 5.' },
    ])
  })

  it('is no part of a number that an apostrophe made a text', async () => {
    const header = `${HEADER};sku;barcode`
    await outcome([header, `${cup('12')};'0012345;'4006381333931`].join('\n'))
    expect(await stored()).toMatchObject([{ sku: '0012345', barcode: '4006381333931' }])
    const { bytes } = await shop.get('/product/export', { token: admin.token })
    expect(bytes.toString()).toContain('"0012345","4006381333931"')
  })
})

describe('a file of another shop', () => {
  const WOO = 'ID,Type,SKU,Name,Published,Tax status,Sale price,Regular price,Categories'
  it.each([
    ['Shopify', 'Handle,Title,Body (HTML),Vendor,Variant SKU,Variant Price\nmug,Mug,,,,12'],
    ['Shopify', 'Title,URL handle,Description,Vendor,SKU,Price\nMug,mug,,,,12'],
    ['WooCommerce', `\ufeff${WOO}\n1,simple,,Mug,1,,,12,`],
    ['Etsy', 'TITLE,DESCRIPTION,PRICE,CURRENCY_CODE,QUANTITY,IMAGE1\nMug,,12,EUR,1,'],
    ['PrestaShop', 'Product ID;Active (0/1);Name *;Categories (x,y,z...)\n1;1;Caf\xe9;'],
    ['PrestaShop', '"Product ID";"Image";"Name";"Price (tax excl.)"\n1;;Caf\xe9;3'],
  ])('is named: %s', async (name, csv) => {
    const { statusCode, body } = await send(
      Buffer.from(csv, csv.includes('\xe9') ? 'latin1' : 'utf8'),
    )
    expect(statusCode).toBe(400)
    expect(JSON.parse(body).message).toMatch(new RegExp(`^This is a product file of ${name}\\.`))
  })
})

describe('the problems of a row', () => {
  const header =
    'slug,name,description,price,quantity,category,status,tax_class,barcode,option1,value1'
  it('are told at once, of its cells, its product and its variants', async () => {
    const csv = [
      header,
      'Çay,Mug,,x,-2,Vasen,active,Half,4006381333932,Size,',
      'Çay,,,12,,,,,,,M',
    ].join('\n')
    expect(await problems(csv)).toEqual([
      {
        line: 2,
        reason: [
          'description is required.',
          'price must be a number.',
          'quantity must be at least 0.',
          'status must be one of: draft, published, archived.',
          'slug may have only lower-case letters, digits and single hyphens between them.',
          'There is no tax class "Half".',
          'There is no category "Vasen".',
          'value1 is required.',
          'barcode: the last digit does not fit the others.',
        ].join(' '),
      },
      { line: 3, reason: 'A new variant needs a quantity.' },
    ])
  })

  it('name the lines of a product whose rows are apart, once', async () => {
    const csv = [
      header,
      'shirt,,,12,1,,,,,,M',
      'cap,Cap,Warm.,9,1,Keramik,,,,,',
      'shirt,Shirt,Soft.,12,1,Keramik,,,,Size,S',
    ].join('\n')
    const reason =
      'The rows of shirt are apart: they begin in lines 2 and 4. Sort the file by slug, the row with the name first.'
    expect(await problems(csv)).toEqual([
      { line: 2, reason },
      { line: 4, reason },
    ])
  })
})
