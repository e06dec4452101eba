/** Pictures of the shop for search engines, social networks, browser tabs and home screens. */
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedProduct } from '#app/products/contract.ts'
import type { Row } from '#db/schema.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { fileOf, formOf } from '#tests/support/form.ts'
import { plain } from '#tests/support/pictures.ts'
import { settingsThrough } from '#tests/support/settings.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

let admin: Person
/** A product with a photo. */
let pot: ListedProduct
/** A product without a photo. */
let cup: Row<'products'>

beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  const category = await addCategory(shop.db, 'Tea')
  const photo = fileOf(await plain(700, 500).jpeg().toBuffer())
  const { body } = await shop.post<{ products: ListedProduct }>('/product/create-product', {
    token: admin.token,
    body: formOf({
      name: 'Tea pot',
      description: 'Holds tea.',
      price: 12.5,
      quantity: 3,
      category: category.id,
      photo,
    }),
  })
  pot = body.products
  cup = await addProduct(shop.db, { category, name: 'Clay cup', quantity: 0 })
})

const get = (url: string) => shop.app.inject({ method: 'GET', url })

describe('the icons of a shop', () => {
  const { read, save } = settingsThrough(shop, () => admin)

  /** The colour of a pixel: red, green, blue and opacity. */
  async function pixelOf(bytes: Buffer, x: number, y: number) {
    const { data, info } = await sharp(bytes)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const at = 4 * (y * info.width + x)
    return [...data.subarray(at, at + 4)]
  }

  it('are made from its logo, as is the picture for shared links, until the logo is removed', async () => {
    const paths = ['/share.png', '/favicon.ico', '/apple-touch-icon.png', '/icon-192.png']
    const bytesOf = () =>
      Promise.all(
        paths.map(async (path) => {
          const { headers, rawPayload } = await get(path)
          expect(headers['content-type']).toBe('image/png')
          expect((await sharp(rawPayload).metadata()).format).toBe('png')
          return rawPayload
        }),
      )
    const stalls = await bytesOf()
    const wide = await plain(600, 200).png().toBuffer()
    const { body } = await shop.post<{ picture: { id: string } }>('/settings/picture', {
      token: admin.token,
      body: formOf({ photo: fileOf(wide) }),
    })
    expect((await save({ logo: body.picture.id })).status).toBe(200)
    const manifest = JSON.parse((await get('/manifest.webmanifest')).body)
    for (const { src, sizes, purpose } of manifest.icons) {
      const { rawPayload } = await get(src)
      const { width, height } = await sharp(rawPayload).metadata()
      expect(`${width}x${height}`).toBe(sizes)
      expect((await pixelOf(rawPayload, 0, 0))[3]).toBe(purpose === 'maskable' ? 255 : 0)
      const [, , blue = 255, opacity] = await pixelOf(rawPayload, width / 2, height / 2)
      expect([blue < 100, opacity]).toEqual([true, 255])
    }
    const made = await bytesOf()
    expect(made.map((bytes, at) => bytes.equals(stalls[at] ?? bytes))).toEqual(
      paths.map(() => false),
    )
    expect((await save({ logo: null })).status).toBe(200)
    expect(await bytesOf()).toEqual(stalls)
    expect((await read()).settings.logo).toBe(null)
  })
})

describe('pictures for shared links', () => {
  const SIZE = { width: 1200, height: 630 }

  it('has one of the shop, which other origins may show', async () => {
    const { rawPayload, headers } = await get('/share.png')
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(await sharp(rawPayload).metadata()).toMatchObject({ ...SIZE, format: 'png' })
  })

  it('has one of each photo, whole and on paper', async () => {
    const { bytes, headers } = await shop.get(`/seo/product-picture/${pot._id}?v=${pot.photo}`)
    expect(headers['cache-control']).toContain('immutable')
    expect(await sharp(bytes).metadata()).toMatchObject({ ...SIZE, format: 'jpeg' })
    const { data } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
    // the corner is paper, the middle is the photo
    expect(data[0]).toBeGreaterThan(240)
    expect(data[3 * (315 * 1200 + 600) + 2]).toBeLessThan(60)
  })

  it('has none of a product without a photo, or of an unknown one', async () => {
    for (const id of [cup.id, '01900000-0000-7000-8000-000000000000'])
      expect((await shop.get(`/seo/product-picture/${id}`)).status).toBe(404)
  })

  it('does not keep a stale version for long', async () => {
    const { headers } = await shop.get(`/seo/product-picture/${pot._id}?v=old`)
    expect(headers['cache-control']).toBe('public, max-age=60')
  })
})
