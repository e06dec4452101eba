import { API_PREFIX } from '../shared/contract/endpoint.ts'
import { SHOP_PICTURE } from '../shared/model/share-picture.ts'

/**
 * The picture of a product for shared links; its version changes with the photo. In a file of its
 * own, which browsers do not load.
 */
export const productPicturePath = ({ _id, photo }: { _id: string; photo: string | null }) =>
  photo === null ? SHOP_PICTURE : `${API_PREFIX}/seo/product-picture/${_id}?v=${photo}`
