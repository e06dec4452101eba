import { beforeAll, describe, expect, it } from 'vitest'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()
let admin: Person
beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
})

const exported = async () => {
  const reply = await shop.get('/product/export', { token: admin.token })
  return { ...reply, lines: reply.bytes.toString().split('\r\n') }
}

describe('GET /product/export', () => {
  it('of an empty shop is the names of the columns', async () => {
    const { lines, headers } = await exported()
    expect(lines).toEqual([
      '\ufeff"slug","name","description","price","quantity","category","shipping","quantity_read","weight_grams","tax_class","status","attributes","option1","value1","option2","value2","option3","value3","sku","barcode","compare_at_price","remove"',
      '',
    ])
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="products-\d{4}-\d\d-\d\d\.csv"$/,
    )
    expect(headers['cache-control']).toBe('no-store')
  })

  it('has every product, oldest first, with nothing that a spreadsheet executes', async () => {
    const category = await addCategory(shop.db, '=Tea')
    const products = []
    for (let n = 0; n < 502; n++) products.push(await addProduct(shop.db, { category }))
    const evil = await addProduct(shop.db, { category, name: '@SUM(A1)', description: '"a",\n-b' })
    const { lines } = await exported()
    expect(lines.slice(1, 503)).toEqual(
      products.map(
        ({ slug }) =>
          `"${slug}","Clay cup","Holds tea.",12.5,10,"'=Tea",0,10,"","Standard","published","","","","","","","","","","",""`,
      ),
    )
    expect(lines[503]).toBe(
      `"'${evil.slug}","'@SUM(A1)","""a"",\n-b",12.5,10,"'=Tea",0,10,"","Standard","published","","","","","","","","","","",""`,
    )
  })
})
