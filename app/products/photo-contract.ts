/** The back office's calls for the photos of a product. */
import { type Static, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Done, Id, Text } from '../shared/contract/fields.ts'
import type { PHOTO_WIDTHS } from '../shared/model/photo.ts'
import { photoUrl, ShownPhoto } from './contract.ts'
import { MAX_VARIANTS } from './variant-contract.ts'

export const MAX_PHOTOS = 20
/** The characters of an alternative text. */
export const ALT_LENGTH = 300

/** The URLs of the photos of a product, in their order; that of the first one is also the product's. */
export const photoUrls = (
  product: string,
  photos: { id: string; version: string }[],
  width: (typeof PHOTO_WIDTHS)[number],
) =>
  photos.map(({ id, version }, at) =>
    photoUrl({ _id: at === 0 ? product : id, photo: version }, width),
  )

const ById = Type.Object({ id: Id })

const Photo = Type.Object({
  _id: Id,
  alt: Text({ maxLength: ALT_LENGTH, description: 'The alternative text; it may be empty' }),
})

const PhotoEdit = Type.Object({
  from: Type.Array(Photo, { maxItems: MAX_PHOTOS, description: 'As last read' }),
  to: Type.Array(Photo, {
    maxItems: MAX_PHOTOS,
    description: 'In their order, without removed ones',
  }),
  shownFor: Type.Optional(
    Type.Object(
      { photo: Id, variants: Type.Array(Id, { maxItems: MAX_VARIANTS }) },
      { description: 'The variants with which a photo is shown, and no others' },
    ),
  ),
})
export type PhotoEdit = Static<typeof PhotoEdit>

const Saved = Type.Object({ ...Done.properties, photos: Type.Array(ShownPhoto) })

export const photoCalls = {
  addPhoto: endpoint({
    method: 'POST',
    path: '/product/photos/:id',
    access: 'admin',
    summary: 'Adds a photo behind those of a product',
    multipart: true,
    params: ById,
    body: Type.Object({}),
    answer: Saved,
    status: 201,
  }),
  savePhotos: endpoint({
    method: 'PUT',
    path: '/product/photos/:id',
    access: 'admin',
    summary: 'Orders, describes and removes photos; refused where they are not as last read',
    params: ById,
    body: PhotoEdit,
    answer: Saved,
  }),
} satisfies Contract
