/** Search engines and social networks: structured data, and pictures for shared links. */
import { Type } from 'typebox'
import { CATEGORIES_TAG } from '../categories/contract.ts'
import { photoTag, productTag } from '../products/contract.ts'
import { ATTRIBUTES_TAG } from '../products/shown-attribute-contract.ts'
import { SETTINGS_TAG } from '../settings/contract.ts'
import { type Contract, cachedEndpoint } from '../shared/contract/endpoint.ts'
import { Id, Text } from '../shared/contract/fields.ts'
import { SHIPPING_TAG } from '../shipping/contract.ts'

export const seoCalls = {
  structuredData: cachedEndpoint(
    (_answer, { params }) => [
      productTag(params.id.toLowerCase()),
      CATEGORIES_TAG,
      ATTRIBUTES_TAG,
      SHIPPING_TAG,
      SETTINGS_TAG,
    ],
    {
      method: 'GET',
      path: '/seo/structured-data/:id',
      access: 'public',
      summary: 'A product as structured data (schema.org), with its offer and shipping',
      params: Type.Object({ id: Id }),
      answer: Type.Object({
        success: Type.Literal(true),
        product: Type.Unsafe<object>({ type: 'object', additionalProperties: true }),
      }),
    },
  ),
  productPicture: cachedEndpoint((_picture, { params }) => [photoTag(params.id.toLowerCase())], {
    method: 'GET',
    path: '/seo/product-picture/:id',
    access: 'public',
    summary: 'The photo of a product as a JPEG of 1200 by 630 pixels, for shared links',
    limits: [{ by: 'address', max: 60, seconds: 60 }],
    params: Type.Object({ id: Id }),
    query: Type.Object({
      v: Type.Optional(Text({ maxLength: 200, description: 'Version of the photo' })),
    }),
    answer: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }),
  }),
} satisfies Contract
