import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ListedProduct } from '#app/products/contract.ts'
import { makeVariants } from '#app/shared/server/pictures/resize-picture.ts'
import { addPerson } from '#tests/support/accounts.ts'
import { addCategory } from '#tests/support/catalogue.ts'
import { sendAtOnce } from '#tests/support/concurrent-uploads.ts'
import { costOf } from '#tests/support/cost.ts'
import { isWhole } from '#tests/support/extent.ts'
import { fileOf, formOf } from '#tests/support/form.ts'
import { noise, plain } from '#tests/support/pictures.ts'
import { testShop } from '#tests/support/shop.ts'
import { copyTime, yardstick } from '#tests/support/yardstick.ts'
import { PHOTO_VERSION } from './photos/store.ts'

const shop = testShop()
let token = ''
let category = ''
beforeAll(async () => {
  token = (await addPerson(shop.db, { admin: true })).token
  category = (await addCategory(shop.db, 'Cups')).id
})

type Saved = { message: string; code: string; products: ListedProduct }

const MEBIBYTE = 2 ** 20
/** How long an upload may block the event loop: as a multiple of fixed work, and of copying its file. */
const MAX_TURN = { works: 16, copies: 3 }
/** The most that all variants of a photo cost, as a multiple of its largest JPEG. */
const MAX_FORMATS = 10
/** All in memory, they would need more than the limit below. */
const AT_ONCE = isWhole ? 50 : 20

const CUP = { name: 'Clay cup', description: 'Holds tea.', price: 12.5, quantity: 10 }
const create = (photo: File) =>
  shop.post<Saved>('/product/create-product', {
    token,
    body: formOf({ ...CUP, category, photo }),
  })
const update = (id: string, photo: File) =>
  shop.put<Saved>(`/product/update-product/${id}`, { token, body: formOf({ photo }) })
const photoOf = (id: string, query = '?w=1280') => shop.get(`/product/product-photo/${id}${query}`)
const pictures = async (id: string) =>
  (
    await shop.db
      .selectFrom('pictures')
      .innerJoin('product_photos', 'product_photos.id', 'photo_id')
      .where('product_id', '=', id)
      .select('width')
      .execute()
  ).length

describe('the photo of a product', () => {
  it('is shown without what the camera noted, and upright', async () => {
    const gps = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
    const taken = plain(400, 200).jpeg().withMetadata({ orientation: 6, exif: gps })
    const { _id } = (await create(fileOf(await taken.toBuffer()))).body.products
    const kept = await sharp((await photoOf(_id)).bytes).metadata()
    expect(kept).toMatchObject({ width: 200, height: 400 })
    expect([kept.exif, kept.orientation]).toEqual([undefined, undefined])
  })

  it('gives way to a new one under a new version, at once and everywhere', async () => {
    const [red, blue] = await Promise.all(
      ['#f00', '#00f'].map((colour) => plain(1300, 900, colour).png().toBuffer()),
    )
    const before = (await create(fileOf(red ?? ''))).body.products
    const first = await photoOf(before._id, `?w=320&v=${before.photo}`)
    expect(first.headers['cache-control']).toContain('immutable')
    const after = (await update(before._id, fileOf(blue ?? ''))).body.products
    expect(after.photo).not.toBe(before.photo)
    const second = await photoOf(before._id, `?w=320&v=${after.photo}`)
    expect(second.headers['cache-control']).toContain('immutable')
    expect(second.headers.etag).not.toBe(first.headers.etag)
    const { data } = await sharp(second.bytes).raw().toBuffer({ resolveWithObject: true })
    expect(data[2]).toBeGreaterThan(200)
    expect(await pictures(before._id)).toBe(9)
  })

  it('goes with its product', async () => {
    const photo = fileOf(await plain(30, 20).png().toBuffer())
    const { _id } = (await create(photo)).body.products
    expect(await pictures(_id)).toBe(3)
    await shop.delete(`/product/delete-product/${_id}`, { token })
    expect(await pictures(_id)).toBe(0)
    expect((await photoOf(_id)).status).toBe(404)
  })

  it('changes nothing when it is refused', async () => {
    const { _id, photo, updatedAt } = (await create(fileOf(await plain(30, 20).png().toBuffer())))
      .body.products
    const body = formOf({ name: 'Other', photo: fileOf('%PDF-1.7', 'a.jpg') })
    const reply = await shop.put<Saved>(`/product/update-product/${_id}`, { token, body })
    expect(reply).toMatchObject({ status: 415, body: { code: 'unsupported_media' } })
    const found = await shop.db
      .selectFrom('products')
      .where('id', '=', _id)
      .select(['name', PHOTO_VERSION.as('photo'), 'updated_at'])
      .executeTakeFirst()
    expect(found).toEqual({
      name: 'Clay cup',
      photo,
      updated_at: new Date(updatedAt),
    })
  })
})

describe('a large upload', () => {
  it('may have 10 MiB and not a byte more', async () => {
    const picture = await plain(300, 200).jpeg().toBuffer()
    const padding = Buffer.alloc(10 * MEBIBYTE - picture.length)
    const largest = Buffer.concat([picture, padding])
    expect((await create(fileOf(largest))).status).toBe(201)
    expect(await create(fileOf(Buffer.concat([largest, Buffer.alloc(1)])))).toMatchObject({
      status: 413,
      body: { success: false, code: 'too_large' },
    })
    expect((await create(fileOf(Buffer.alloc(30 * MEBIBYTE)))).status).toBe(413)
  })

  it('never holds the others up', async () => {
    const picture = await plain(300, 200).jpeg().toBuffer()
    const photo = fileOf(Buffer.concat([picture, Buffer.alloc(10 * MEBIBYTE - picture.length)]))
    const upload = async () => expect((await create(photo)).status).toBe(201)
    await upload()
    // a garbage collection of the test's process can make any one of them longer
    const turns = [await costOf(upload), await costOf(upload), await costOf(upload)]
    const longest = Math.min(...turns.map(({ longestTurn }) => longestTurn))
    expect(longest).toBeLessThan(
      MAX_TURN.works * yardstick() + MAX_TURN.copies * copyTime(photo.size),
    )
  })

  it('costs little more in all formats and widths than in one', async () => {
    const photo = await noise(2000, 1500, 80).jpeg({ quality: 80 }).toBuffer()
    const leastOf = async (work: () => Promise<unknown>) =>
      Math.min((await costOf(work)).allThreads, (await costOf(work)).allThreads)
    const one = await leastOf(() =>
      sharp(photo).resize(1280).jpeg({ progressive: true }).toBuffer(),
    )
    expect(await leastOf(() => makeVariants(photo))).toBeLessThan(MAX_FORMATS * one)
  })

  it('waits its turn, unread, when many come at once', async () => {
    const picture = await plain(300, 200).jpeg().toBuffer()
    const photo = fileOf(Buffer.concat([picture, Buffer.alloc(10 * MEBIBYTE - picture.length)]))
    const form = new Response(formOf({ ...CUP, category, photo }))
    const address = await shop.app.listen({ port: 0, host: '127.0.0.1' })
    const { replies, grownMb } = await sendAtOnce(
      {
        url: `${address}/api/v1/product/create-product`,
        method: 'POST',
        token,
        type: form.headers.get('content-type') ?? '',
        body: Buffer.from(await form.arrayBuffer()),
      },
      AT_ONCE,
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
    const ids = new Set(replies.map(({ body }) => JSON.parse(body).products.slug))
    expect(ids.size).toBe(AT_ONCE)
    // six are in memory at once, each as a stream and as a whole
    expect(grownMb).toBeLessThan(200)
  })
})
