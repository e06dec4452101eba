import { beforeAll, expect, it } from 'vitest'
import { type DetailedProduct, type ProductCard, SUMMARY_LENGTH } from '#app/products/contract.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop({ SHOP_URL: 'https://shop.example.com' })

const MARKDOWN = 'A **round** cup, see [care](/about).\n\n- holds *tea*\n- 8_9_7 <b>x</b> & `y`'
const PLAIN = 'A round cup, see care.\n\nholds tea\n8_9_7 <b>x</b> & y'

let cup = { id: '', slug: '' }
let token = ''
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  const category = await addCategory(shop.db, 'Cups')
  cup = await addProduct(shop.db, { category, description: MARKDOWN })
  await addPhoto(shop.db, cup)
  await addProduct(shop.db, { category, description: 'Two * three * four.\nFive, 5 - 6.' })
})

const detailed = async (slug: string) =>
  (await shop.get<{ product: DetailedProduct }>(`/product/get-product/${slug}`)).body.product

it('is answered as it was typed, and formatted, with HTML as text', async () => {
  const { description, formatted } = await detailed(cup.slug)
  expect(description).toBe(MARKDOWN)
  expect(formatted).toEqual({
    plain: PLAIN,
    nodes: [
      {
        tag: 'p',
        children: [
          'A ',
          { tag: 'strong', children: ['round'] },
          ' cup, see ',
          { tag: 'a', href: '/about', children: ['care'] },
          '.',
        ],
      },
      {
        tag: 'ul',
        children: [
          { tag: 'li', children: ['holds ', { tag: 'em', children: ['tea'] }] },
          { tag: 'li', children: ['8_9_7 <b>x</b> & ', { tag: 'code', children: ['y'] }] },
        ],
      },
    ],
  })
})

it('is plain text on cards, in structured data and feeds, and as it was typed in the CSV', async () => {
  const { products } = (await shop.get<{ products: ProductCard[] }>('/product/products')).body
  expect(products.map(({ summary }) => summary)).toEqual([
    'Two * three * four.\nFive, 5 - 6.',
    PLAIN,
  ])
  expect(products[0]).not.toHaveProperty('description')
  const { product } = (await shop.get<{ product: object }>(`/seo/structured-data/${cup.id}`)).body
  expect(product).toMatchObject({ description: PLAIN })
  const feed = (await shop.app.inject({ url: '/product-feed.xml' })).body
  expect(feed).toContain('<g:description>A round cup, see care.')
  const csv = (await shop.get('/product/export', { token })).bytes.toString()
  expect(csv).toContain('A **round** cup')
})

it('has 80 characters on a card, wherever one is shown', async () => {
  const category = await addCategory(shop.db, 'Bowls')
  const bowl = await addProduct(shop.db, {
    category,
    name: 'Deep bowl',
    description: '🍵'.repeat(200),
  })
  const other = await addProduct(shop.db, { category, name: 'Bowl' })
  for (const path of [
    '/product/products',
    '/product/search-results?keyword=deep',
    `/product/category-products/${category.slug}`,
    `/product/similar-products/${other.id}/${category.id}`,
  ]) {
    const { products } = (await shop.get<{ products: ProductCard[] }>(path)).body
    const { summary } = products.find(({ _id }) => _id === bowl.id) ?? {}
    expect([path, summary]).toEqual([path, '🍵'.repeat(SUMMARY_LENGTH)])
  }
})

it('is not parsed where it would take too long', async () => {
  const category = await addCategory(shop.db, 'Jugs')
  const deep = await addProduct(shop.db, { category, description: '> '.repeat(400) })
  expect(await detailed(deep.slug)).not.toHaveProperty('formatted')
})
