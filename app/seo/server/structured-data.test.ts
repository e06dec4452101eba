import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedProduct } from '#app/products/contract.ts'
import type { Row } from '#db/schema.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { fileOf, formOf } from '#tests/support/form.ts'
import { plain } from '#tests/support/pictures.ts'
import { addZone } from '#tests/support/shipping.ts'
import { testShop } from '#tests/support/shop.ts'
import { errorsIn, type Thing } from '#tests/support/structured-data.ts'

const SHOP_URL = 'https://shop.example.com'
const shop = testShop({ SHOP_URL, CURRENCY_DISPLAY: 'USD', SHOP_NAME: 'Cups & Co' })

let pot: ListedProduct
let cup: Row<'products'>
beforeAll(async () => {
  const admin = await addPerson(shop.db, { admin: true })
  const category = await addCategory(shop.db, 'Tea & more')
  const facts = { name: 'Tea <pot>', description: 'Holds "tea" & more.\u0008 ]]>' }
  const photo = fileOf(await plain(700, 500).jpeg().toBuffer())
  const sold = { price: 12.5, quantity: 3, category: category.id, shipping: 1, weightGrams: 350 }
  const reply = await shop.post<{ products: ListedProduct }>('/product/create-product', {
    token: admin.token,
    body: formOf({ ...facts, ...sold, photo }),
  })
  pot = reply.body.products
  cup = await addProduct(shop.db, { category, name: 'Clay cup', quantity: 0 })
  await addZone(shop, admin)
})

describe('GET /seo/structured-data/:id', () => {
  const describing = async (id: string) =>
    (await shop.get<{ product: Thing }>(`/seo/structured-data/${id}`)).body.product

  it('describes a product with its offer and its shipping, as Google requires it', async () => {
    const product = await describing(pot._id)
    expect(product).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Tea <pot>',
      description: 'Holds "tea" & more.\u0008 ]]>',
      sku: pot._id,
      category: 'Tea & more',
      url: `${SHOP_URL}/product/${pot.slug}`,
      image: [`${SHOP_URL}/api/v1/product/product-photo/${pot._id}?w=1280&v=${pot.photo}`],
      weight: { '@type': 'QuantitativeValue', value: 350, unitCode: 'GRM' },
      offers: {
        '@type': 'Offer',
        url: `${SHOP_URL}/product/${pot.slug}`,
        price: '12.50',
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
        itemCondition: 'https://schema.org/NewCondition',
        seller: { '@type': 'Organization', name: 'Cups & Co' },
        shippingDetails: [
          {
            '@type': 'OfferShippingDetails',
            shippingRate: { '@type': 'MonetaryAmount', value: '40.00', currency: 'USD' },
            shippingDestination: { '@type': 'DefinedRegion', addressCountry: 'IN' },
          },
        ],
      },
    })
    expect(await errorsIn([product])).toEqual([])
  })

  it('says that a product is sold out, and nothing of shipping where there is none', async () => {
    const { offers } = await describing(cup.id)
    expect(offers).toMatchObject({ availability: 'https://schema.org/OutOfStock' })
    expect(offers).not.toHaveProperty('shippingDetails')
  })

  it('is found wrong by the test without its price', async () => {
    const { offers, ...product } = await describing(pot._id)
    const { price, ...offer } = Object(offers)
    expect(price).toBe('12.50')
    expect(await errorsIn([{ ...product, '@type': 'Product', offers: offer }])).not.toEqual([])
  })

  it('answers 404 for an unknown product', async () => {
    const { status } = await shop.get('/seo/structured-data/01900000-0000-7000-8000-000000000000')
    expect(status).toBe(404)
  })
})
