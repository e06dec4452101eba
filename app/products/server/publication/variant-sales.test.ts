import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import type { BulkResult } from '#app/products/catalogue-contract.ts'
import type { DetailedProduct } from '#app/products/contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf } from '#tests/support/variant-calls.ts'

const shop = testShop()
let token = ''
let category = { id: '' }
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = await addCategory(shop.db, 'Vases')
})

const { load, make, save } = variantCallsOf(shop, () => token)

const edit = (id: string, fields: Parameters<typeof formOf>[0]) =>
  shop.put(`/product/update-product/${id}`, { token, body: formOf(fields) })

/** A product at 20, whose other variant costs so much, at 15 for an hour. */
async function vaseOnSale(price: number) {
  const { id, slug } = await addProduct(shop.db, { category, name: 'Vase', price: 20 })
  await make(id, [option(1, 'Size', 'S', 'M')], { price })
  const saleUntil = new Date(Date.now() + 3_600_000).toISOString().slice(0, 16)
  await edit(id, { salePrice: 15, saleUntil })
  return { id, slug }
}
const endSale = (id: string) => edit(id, { salePrice: '', saleFrom: '', saleUntil: '' })

/** Prices and prices before, as customers see them. */
async function shown({ slug }: { slug: string }) {
  const { body } = await shop.get<{ product: DetailedProduct }>(`/product/get-product/${slug}`)
  return body.product.variants?.map(({ price, compareAt = null }) => [price, compareAt])
}
const regular = async (id: string) => (await load(id)).variants.map(({ price }) => price)

it('a sale is of the variants that cost more, and the back office edits regular prices', async () => {
  const vase = await vaseOnSale(12)
  expect(await shown(vase)).toEqual([
    [15, 20],
    [12, null],
  ])
  const [first] = (await load(vase.id)).variants
  if (!first) throw new Error('The vase has no variant.')
  const price = { from: 20, to: 22 }
  await save(vase.id, { changed: [{ _id: first._id, updatedAt: first.updatedAt, price }] })
  expect(await shown(vase)).toEqual([
    [15, 22],
    [12, null],
  ])
  await endSale(vase.id)
  expect(await shown(vase)).toEqual([
    [22, null],
    [12, null],
  ])
})

it('a change of many prices is of the regular ones, before, during and after a sale, and is undone', async () => {
  const vase = await vaseOnSale(40)
  const other = await vaseOnSale(20)
  await endSale(other.id)
  const changeId = randomUUID()
  const { body } = await shop.post<BulkResult>('/product/change-products', {
    token,
    body: { changeId, selection: { ids: [vase.id, other.id] }, change: { pricePercent: 10 } },
  })
  expect(body.message).toBe('2 products changed.')
  expect(await shown(vase)).toEqual([
    [15, 22],
    [15, 44],
  ])
  expect(await regular(other.id)).toEqual([22, 22])
  await endSale(vase.id)
  const undone = await shop.post<{ message: string }>('/product/undo-change', {
    token,
    body: { changeId },
  })
  expect(undone.body.message).toBe('2 products changed back.')
  expect([await regular(vase.id), await regular(other.id)]).toEqual([
    [20, 40],
    [20, 20],
  ])
})
