/** The back office's part of publication: the status of a product, the times at which it changes, and sale prices. */
import { type Static, type TSchema, Type } from 'typebox'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Done, GivenPrice, Price, Slug } from '../shared/contract/fields.ts'
import { AttributeValues } from './attribute-contract.ts'
import { DetailedProduct } from './contract.ts'
import { storedVariants } from './variant-contract.ts'

/** Only published products are in the shop. */
export const PRODUCT_STATUSES = ['draft', 'published', 'archived'] as const
export type ProductStatus = (typeof PRODUCT_STATUSES)[number]

const LocalTime = Type.String({
  pattern: '^20\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d$',
  description: "A time in the shop's zone, as 2026-11-27T09:00",
})

export const PLANNED_TIMES = ['publishAt', 'unpublishAt', 'saleFrom', 'saleUntil'] as const

const stored = {
  publishAt: Type.Optional(LocalTime),
  unpublishAt: Type.Optional(LocalTime),
  salePrice: Type.Optional(Price),
  saleFrom: Type.Optional(LocalTime),
  saleUntil: Type.Optional(LocalTime),
}

const SentTime = Type.Optional(Type.Union([LocalTime, Type.Literal('')]))

/** The fields of a product about its publication as they are sent; an empty text clears one. */
export const publication = {
  status: Type.Optional(Type.Enum([...PRODUCT_STATUSES])),
  publishAt: SentTime,
  unpublishAt: SentTime,
  salePrice: Type.Optional(Type.Union([GivenPrice, Type.Literal('')])),
  saleFrom: SentTime,
  saleUntil: SentTime,
} satisfies Record<keyof typeof stored | 'status', TSchema>

const Publication = Type.Object(publication)
export type Publication = Static<typeof Publication>

/** A product as the back office edits it. */
export const StoredProduct = Type.Object({
  ...DetailedProduct.properties,
  status: Type.Enum([...PRODUCT_STATUSES]),
  ...stored,
  regularPrice: Type.Optional({ ...Price, description: 'While a sale runs: the price after it' }),
  preview: Type.String({ description: 'The token of its preview' }),
  attributeValues: AttributeValues,
})
export type StoredProduct = Static<typeof StoredProduct>

export const publicationCalls = {
  openProduct: endpoint({
    method: 'GET',
    path: '/product/stored-product/:slug',
    access: 'admin',
    summary: 'A product, in the shop or not, with its status and its plans',
    params: Type.Object({ slug: Slug }),
    answer: Type.Object({ ...Done.properties, product: StoredProduct, ...storedVariants }),
  }),
} satisfies Contract
