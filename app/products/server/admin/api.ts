import type { productAdminCalls } from '#app/products/admin-contract.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import type { Database } from '#db/schema.ts'
import { presentListed } from '../present-product.ts'
import { developPhoto } from './photo-upload.ts'
import { addProduct, changeProduct, removeProduct, requireEditable } from './service.ts'

/** The messages are the specification's, spelling included (spec §8). */
export const productAdminHandlers = ({
  db,
}: {
  db: Database
}): Handlers<typeof productAdminCalls> => ({
  async createProduct({ body, photo }) {
    const product = await addProduct(db, body, photo && (await developPhoto(photo)))
    return {
      success: true,
      message: 'Product Created Successfully',
      products: presentListed(product),
    }
  },
  async updateProduct({ params: { id }, body, photo: upload }) {
    const { updatedAt, quantityRead, ...changes } = body
    const seen = { updatedAt, quantityRead }
    await requireEditable(db, id, seen)
    const photo = upload && (await developPhoto(upload))
    const product = await changeProduct(db, id, { changes, seen, photo })
    return {
      success: true,
      message: 'Product Updated Successfully',
      products: presentListed(product),
    }
  },
  async deleteProduct({ params }) {
    await removeProduct(db, params.id)
    return { success: true, message: 'Product DEleted Succfully' }
  },
})
