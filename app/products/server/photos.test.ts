import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Product } from '#app/products/contract.ts'
import type { Row } from '#db/schema.ts'
import { addCategory, addPhoto, addProduct } from '#tests/support/catalogue.ts'
import { testShop } from '#tests/support/shop.ts'

const shop = testShop()

let shown: Row<'products'>
let small: Row<'products'>
let bare: Row<'products'>

beforeAll(async () => {
  const category = await addCategory(shop.db, 'Shelf')
  shown = await addProduct(shop.db, { category })
  small = await addProduct(shop.db, { category })
  bare = await addProduct(shop.db, { category })
  await addPhoto(shop.db, shown)
  await addPhoto(shop.db, small, { widths: [48] })
})

const photo = (product: { id: string }, query = '', headers: Record<string, string> = {}) =>
  shop.get(`/product/product-photo/${product.id}${query}`, { headers })
const said = async (...sent: Parameters<typeof photo>) => (await photo(...sent)).bytes.toString()

describe('GET /product/product-photo/:id', () => {
  it('answers the bytes, for any site to show', async () => {
    const { status, headers, bytes } = await photo(shown)
    expect([status, bytes.toString()]).toEqual([200, 'v1 640 jpeg'])
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      vary: 'Accept',
      'cache-control': 'public, max-age=60',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
    })
  })

  it.each([
    ['1', 320],
    ['320', 320],
    ['320.5', 640],
    ['321', 640],
    ['0', 320],
    ['-5', 320],
    ['1280', 640],
    ['1e9', 640],
  ])('answers ?w=%s with the next larger width, or the largest that there is', async (w, width) => {
    expect(await said(shown, `?w=${w}`)).toBe(`v1 ${width} jpeg`)
  })

  it('answers a small picture as large as it is', async () => {
    expect(await said(small, '?w=320')).toBe('v1 48 jpeg')
    expect(await said(small)).toBe('v1 48 jpeg')
  })

  it.each(['x', '', '1px', 'NaN'])('refuses ?w=%s', async (w) => {
    const { status, body } = await photo(shown, `?w=${w}`)
    expect([status, body.code]).toEqual([400, 'invalid'])
  })

  it.each([
    ['image/avif,image/webp,image/*;q=0.8', 'avif'],
    ['image/webp, image/avif;q=0.1', 'webp'],
    ['image/avif;q=0.2, image/webp;q=0.7, image/jpeg;q=0.5', 'webp'],
    ['image/webp;q=0.5, image/avif;q=0.5', 'webp'],
    ['image/avif;q=0.5, */*;q=0.8', 'jpeg'],
    ['image/avif;q=0.5, image/*;q=0.2, */*', 'avif'],
    ['image/jpeg;q=0', 'jpeg'],
    ['IMAGE/WEBP', 'webp'],
    ['image/avif;q=0, image/webp;q=0.5', 'webp'],
    ['image/avif; q=0.000 ,image/jpeg', 'jpeg'],
    ['image/*', 'jpeg'],
    ['*/*', 'jpeg'],
    ['text/html', 'jpeg'],
    [';;,=,,', 'jpeg'],
  ])('answers Accept: %s with %s', async (accept, format) => {
    const { headers, bytes } = await photo(shown, '', { accept })
    expect(headers['content-type']).toBe(`image/${format}`)
    expect(bytes.toString()).toBe(`v1 640 ${format}`)
  })

  it('promises to stay only to who asks for the present version', async () => {
    const forever = 'public, max-age=31536000, immutable'
    expect((await photo(shown, '?v=v1')).headers['cache-control']).toBe(forever)
    for (const query of ['?v=v0', '?v=', '?w=320']) {
      const { status, headers } = await photo(shown, query)
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=60'])
    }
  })

  it('answers 304 to who has it, in this width and format', async () => {
    const { etag } = (await photo(shown)).headers
    expect(etag).toMatch(/^"[^"]+"$/)
    for (const known of [etag, `"other", W/${etag}`, '*']) {
      const kept = await photo(shown, '', { 'if-none-match': String(known) })
      expect([kept.status, kept.bytes.length]).toEqual([304, 0])
      expect(kept.headers).toMatchObject({ etag, vary: 'Accept' })
    }
    const headers = { 'if-none-match': String(etag) }
    expect((await photo(shown, '?w=320', headers)).status).toBe(200)
    expect((await photo(shown, '', { ...headers, accept: 'image/webp' })).status).toBe(200)
    expect((await photo(small, '', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  it('answers a new photo under another version and tag', async () => {
    const changed = await addProduct(shop.db, { category: { id: shown.category_id } })
    await addPhoto(shop.db, changed)
    const { etag } = (await photo(changed)).headers
    await addPhoto(shop.db, changed, { version: 'v2' })
    const now = await photo(changed, '?v=v1', { 'if-none-match': String(etag) })
    expect([now.status, now.bytes.toString()]).toEqual([200, 'v2 640 jpeg'])
    expect(now.headers['cache-control']).toBe('public, max-age=60')
    const { body } = await shop.get<{ product: Product }>(`/product/get-product/${changed.slug}`)
    expect(body.product.photo).toBe('v2')
  })

  it('answers the placeholder as a JPEG, whatever is asked for', async () => {
    for (const [query, accept] of [
      ['?w=1', 'image/avif'],
      ['', '*/*'],
    ]) {
      const { status, headers, bytes } = await photo(bare, query, { accept: accept ?? '' })
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=60'])
      expect(headers['content-type']).toBe('image/jpeg')
      expect(await sharp(bytes).metadata()).toMatchObject({ width: 1280, format: 'jpeg' })
      const again = await photo(bare, query, { 'if-none-match': String(headers.etag) })
      expect(again.status).toBe(304)
    }
  })

  it('answers 404 to an unknown and to a malformed id', async () => {
    for (const id of ['01900000-0000-7000-8000-000000000000', 'x', `${shown.id}0`]) {
      const { status, headers, body } = await photo({ id })
      expect([status, body.code]).toEqual([404, 'not_found'])
      expect(headers['cache-control']).toBeUndefined()
    }
  })
})
