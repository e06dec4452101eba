import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DetailedProduct, ListedProduct, ShownPhoto } from '#app/products/contract.ts'
import { addPerson, type Person } from '#tests/support/accounts.ts'
import { addCategory, addProduct } from '#tests/support/catalogue.ts'
import { formOf } from '#tests/support/form.ts'
import { plain } from '#tests/support/pictures.ts'
import { testShop } from '#tests/support/shop.ts'
import { option, variantCallsOf, variantOf } from '#tests/support/variant-calls.ts'

const shop = testShop()
let admin: Person
let category: { id: string }
let product: Awaited<ReturnType<typeof addProduct>>
const variants = variantCallsOf(shop, () => admin.token)

beforeAll(async () => {
  admin = await addPerson(shop.db, { admin: true })
  category = await addCategory(shop.db, 'Shirts')
})
beforeEach(async () => {
  product = await addProduct(shop.db, { category })
})

type Answer = { photos: ShownPhoto[]; code?: string; field?: string; message: string }

/** A picture whose width tells it from others. */
const file = async (width: number) =>
  new File([new Uint8Array(await plain(width, 30).png().toBuffer())], 'photo.png')
const upload = async (width: number) =>
  shop.post<Answer>(`/product/photos/${product.id}`, {
    token: admin.token,
    body: formOf({ photo: await file(width) }),
  })
const kept = (photos: ShownPhoto[]) => photos.map(({ _id, alt = '' }) => ({ _id, alt }))
const save = (from: ShownPhoto[], to: ShownPhoto[], shownFor?: object) =>
  shop.put<Answer>(`/product/photos/${product.id}`, {
    token: admin.token,
    body: { from: kept(from), to: kept(to), ...(shownFor && { shownFor }) },
  })
const shown = async () =>
  (await shop.get<{ product: DetailedProduct }>(`/product/get-product/${product.slug}`)).body
    .product
/** The width of the picture that an id answers with. */
async function widthOf(id: string) {
  const { bytes } = await shop.get(`/product/product-photo/${id}?w=1280`)
  const { default: sharp } = await import('sharp')
  return (await sharp(bytes).metadata()).width
}

async function threePhotos() {
  for (const width of [40, 50]) await upload(width)
  return (await upload(60)).body.photos as [ShownPhoto, ShownPhoto, ShownPhoto]
}

describe('POST /product/photos/:id', () => {
  it('adds photos at once, of which the first is the photo of the product', async () => {
    const answers = await Promise.all([40, 50, 60].map(upload))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    const { photos = [], photo, secondPhoto } = await shown()
    expect(photos).toHaveLength(3)
    expect([photos[0]?.photo, photos[1]?._id]).toEqual([photo, secondPhoto?._id])
    expect(await widthOf(product.id)).toBe(await widthOf(photos[0]?._id ?? ''))
    expect((await Promise.all(photos.map(({ _id }) => widthOf(_id)))).toSorted()).toEqual([
      40, 50, 60,
    ])
  })

  it('refuses the twenty-first photo, what is no picture, and no file, at the field', async () => {
    const noPicture = formOf({ photo: new File(['text'], 'photo.png') })
    const sent = (body: FormData) =>
      shop.post<Answer>(`/product/photos/${product.id}`, { token: admin.token, body })
    expect((await sent(noPicture)).body).toMatchObject({
      code: 'unsupported_media',
      field: 'photo',
    })
    expect((await sent(formOf({}))).body).toMatchObject({ code: 'invalid', field: 'photo' })
    await upload(40)
    await shop.db
      .insertInto('product_photos')
      .values(
        Array.from({ length: 18 }, (_, at) => ({
          id: crypto.randomUUID(),
          product_id: product.id,
          position: at + 1,
          version: 'v',
        })),
      )
      .execute()
    const last = await Promise.all([upload(50), upload(60)])
    expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409])
    expect(last.find(({ status }) => status === 409)?.body.message).toMatch(/at most 20 photos/)
  })
})

describe('PUT /product/photos/:id', () => {
  it('moves the last photo to the beginning: lists, the page and its id show it', async () => {
    const [one, two, three] = await threePhotos()
    const { status, body } = await save([one, two, three], [three, one, two])
    expect(status).toBe(200)
    expect(body.photos).toEqual([three, one, two])
    expect(await Promise.all([product.id, one._id, two._id, three._id].map(widthOf))).toEqual([
      60, 40, 50, 60,
    ])
    const { body: list } = await shop.get<{ products: ListedProduct[] }>('/product/product-list/1')
    expect(list.products.find(({ _id }) => _id === product.id)).toMatchObject({
      photo: three.photo,
      secondPhoto: { _id: one._id, photo: one.photo },
    })
  })

  it('removes photos with their bytes, the first and the last one, too', async () => {
    const [one, two, three] = await threePhotos()
    await save([one, two, three], [three])
    expect([await widthOf(product.id), (await shown()).photos]).toEqual([60, [three]])
    await save([three], [])
    expect(await shown()).toMatchObject({ photo: null })
    const { status } = await shop.get(`/product/product-photo/${two._id}`)
    expect(status).toBe(404)
    const ofPhotos = shop.db.selectFrom('pictures').select('width')
    const removed = [one, two, three].map(({ _id }) => _id)
    expect(await ofPhotos.where('photo_id', 'in', removed).execute()).toEqual([])
    await upload(70)
    expect(await widthOf(product.id)).toBe(70)
  })

  it('has alternative texts, whose changes are in the history of the product', async () => {
    const [one, two, three] = await threePhotos()
    const described = { ...two, alt: 'The back of the shirt' }
    const { body } = await save([one, two, three], [one, described, three])
    expect(body.photos[1]).toEqual(described)
    const { body: history } = await shop.get(`/audit-log?object=${product.id}`, {
      token: admin.token,
    })
    expect(JSON.stringify(history)).toContain('The back of the shirt')
  })

  it('refuses the second of two admins, and keeps what the first one saved', async () => {
    const [one, two, three] = await threePhotos()
    const answers = await Promise.all([
      save([one, two, three], [two, one, three]),
      save([one, two, three], [one, two]),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const done = answers.find(({ status }) => status === 200)
    expect((await shown()).photos).toEqual(done?.body.photos)
  })

  it('refuses photos of another product, and one that is named twice', async () => {
    const [one, two, three] = await threePhotos()
    const twice = await save([one, two, three], [one, one])
    expect([twice.status, twice.body.field]).toEqual([400, 'to.1._id'])
    const strange = { ...one, _id: crypto.randomUUID() }
    expect((await save([one, two, three], [strange])).status).toBe(400)
    const shownFor = { photo: strange._id, variants: [] }
    expect((await save([one, two, three], [one], shownFor)).body.field).toBe('shownFor.photo')
    expect((await shown()).photos).toEqual([one, two, three])
  })

  it('shows a photo with variants, which answer with it by their ids; without it, with the first', async () => {
    const made = await variants.make(product.id, [option(1, 'Colour', 'Blue', 'Red')])
    const red = variantOf(made, 'Red')._id
    const [one, two, three] = await threePhotos()
    const shownFor = { photo: three._id, variants: [red] }
    await save([one, two, three], [one, two, three], shownFor)
    const places = async () => (await shown()).variants?.map(({ photo }) => photo)
    expect([await places(), await widthOf(red)]).toEqual([[undefined, 2], 60])
    // the variants keep their photo in another order, also as the first one
    await save([one, two, three], [three, one, two])
    expect([await places(), await widthOf(red)]).toEqual([[undefined, 0], 60])
    await save([three, one, two], [one, two])
    expect([await places(), await widthOf(red)]).toEqual([[undefined, undefined], 40])
  })
})

describe('PUT /product/update-product/:id', () => {
  it('replaces the first photo, and keeps its text and the other photos', async () => {
    const [one, two, three] = await threePhotos()
    await save([one, two, three], [{ ...one, alt: 'In front' }, two, three])
    await shop.put(`/product/update-product/${product.id}`, {
      token: admin.token,
      body: formOf({ photo: await file(80) }),
    })
    const { photo, photos } = await shown()
    expect(photos).toEqual([{ ...one, photo, alt: 'In front' }, two, three])
    expect(await Promise.all([product.id, one._id, two._id].map(widthOf))).toEqual([80, 80, 50])
  })
})
