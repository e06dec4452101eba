import type { productAdminCalls } from '#app/products/admin-contract.ts'
import { admin } from '#app/shared/server/actor/actor.ts'
import type { Handlers } from '#app/shared/server/mount.ts'
import { processUpload } from '#app/shared/server/pictures/upload.ts'
import type { Database } from '#db/schema.ts'
import { addProduct, changeProduct, removeProduct, requireEditable } from './editing.ts'
import { presentListed } from './presenter.ts'

/**
 * A photo is processed before the transaction opens, so that no other transaction waits for it.
 * That may take seconds, so the caller is checked again afterwards. Messages as in spec §8,
 * spelling included.
 */
export function productAdminHandlers({ db }: { db: Database }): Handlers<typeof productAdminCalls> {
  return {
    async createProduct({ body, photo: upload, caller, recheckCaller }) {
      const photo = upload && (await processUpload(upload))
      if (photo) await recheckCaller()
      const product = await addProduct(db, admin(caller), body, photo)
      const message = 'Product Created Successfully'
      return { success: true, message, products: presentListed(product) }
    },
    async updateProduct({ params: { id }, body, photo: upload, caller, recheckCaller }) {
      const { updatedAt, quantityRead, ...changes } = body
      const seen = { updatedAt, quantityRead }
      await requireEditable(db, id, seen)
      const photo = upload && (await processUpload(upload))
      if (photo) await recheckCaller()
      const product = await changeProduct(db, admin(caller), { id, changes, seen, photo })
      const message = 'Product Updated Successfully'
      return { success: true, message, products: presentListed(product) }
    },
    async deleteProduct({ params, caller }) {
      await removeProduct(db, admin(caller), params.id)
      return { success: true, message: 'Product DEleted Succfully' }
    },
  }
}
