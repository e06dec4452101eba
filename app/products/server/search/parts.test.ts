import { beforeAll, describe, expect, it } from 'vitest'
import type { FoundShop } from '#app/products/search-contract.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

const NAMES = [
  '東京限定マグカップ',
  '加工包装',
  'ชุดกาแฟเซรามิก',
  '茶杯',
  'iPhone 15 Pro Hülle',
  'iPhone16 Hülle',
  'Schüssel 20 cm',
  'Topf 24cm',
  '머그컵 세트',
  'Accordion with 48 basses',
]

beforeAll(async () => {
  const category = await addCategory(shop.db, 'Cups')
  for (const name of NAMES) await addProduct(shop.db, { category, name, description: '-' })
})

const found = async (keyword: string) => {
  const query = new URLSearchParams({ keyword })
  const { body } = await shop.get<FoundShop>(`/product/search-results?${query}`)
  return body.products.map(({ name }) => name)
}

describe('a word of a script without blanks', () => {
  it.each([
    ['限定', '東京限定マグカップ'],
    ['東京', '東京限定マグカップ'],
    ['マグ', '東京限定マグカップ'],
    ['カップ', '東京限定マグカップ'],
    ['限定マグカップ', '東京限定マグカップ'],
    ['東京限定マグカップ', '東京限定マグカップ'],
    ['カップ 東京', '東京限定マグカップ'],
    ['ﾏｸﾞｶｯﾌﾟ', '東京限定マグカップ'],
    ['包装', '加工包装'],
    ['กาแฟ', 'ชุดกาแฟเซรามิก'],
    ['เซรามิก', 'ชุดกาแฟเซรามิก'],
    ['茶', '茶杯'],
    ['杯', '茶杯'],
    ['머그', '머그컵 세트'],
  ])('is found by %s', async (keyword, name) => expect(await found(keyword)).toEqual([name]))

  it.each(['限東', '京定', '装包'])('is not found by %s', async (keyword) => {
    expect(await found(keyword)).toEqual([])
  })

  it('is found anew when its product is renamed', async () => {
    const product = shop.db.updateTable('products').where('name', '=', '茶杯')
    await product.set({ name: '茶杯限量' }).execute()
    expect(await found('限量')).toEqual(['茶杯限量'])
    await shop.db
      .updateTable('products')
      .where('name', '=', '茶杯限量')
      .set({ name: '茶杯' })
      .execute()
    expect(await found('限量')).toEqual([])
  })
})

describe('letters and digits', () => {
  it.each([
    ['20cm', 'Schüssel 20 cm'],
    ['20 cm', 'Schüssel 20 cm'],
    ['24 cm', 'Topf 24cm'],
    ['24cm', 'Topf 24cm'],
    ['iphone15', 'iPhone 15 Pro Hülle'],
    ['iphone 16', 'iPhone16 Hülle'],
    ['IPHONE15 hülle', 'iPhone 15 Pro Hülle'],
    ['schüssel 20c', 'Schüssel 20 cm'],
  ])('%s finds %s', async (keyword, name) => expect((await found(keyword))[0]).toBe(name))

  it('mean their order', async () => expect(await found('cm20')).toEqual([]))
})

it('A word is not corrected to another one that begins otherwise, too', async () => {
  expect(await found('Tassen')).toEqual([])
})
