/** Previews of products that are not in the shop. */
import { Type } from 'typebox'
import { href } from '#app/shared/model/href.ts'
import { type Contract, cachedEndpoint } from '../shared/contract/endpoint.ts'
import { Done, Text } from '../shared/contract/fields.ts'
import { DetailedProduct, productTag } from './contract.ts'

/** The path of the preview of a product. */
export const previewPath = ({ preview: token }: { preview: string }) =>
  `${href('/preview')}?${new URLSearchParams({ token })}`

export const previewCalls = {
  /**
   * Declared as cached, so that pages can make it; its answer says that it must not be. The log has no queries, and so
   * no tokens.
   */
  previewProduct: cachedEndpoint(({ product }) => [productTag(product._id)], {
    method: 'GET',
    path: '/product/preview',
    access: 'public',
    summary: 'A product, in the shop or not, by a signed token of a week; never cached',
    query: Type.Object({ token: Text({ maxLength: 200 }) }),
    answer: Type.Object({ ...Done.properties, product: DetailedProduct }),
  }),
} satisfies Contract
