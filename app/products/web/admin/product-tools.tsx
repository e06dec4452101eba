import { useState } from 'react'
import { Link } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { DialogButton } from '#app/back-office/kit/dialog-button.tsx'
import { ChangeDialog, PromptDialog } from '#app/back-office/kit/form-dialog.tsx'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { productPath } from '#app/products/contract.ts'
import { previewPath } from '#app/products/preview-contract.ts'
import type { StoredProduct } from '#app/products/publication-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'

type ToolsProps = { product: StoredProduct; list: string }

/** Links and buttons about a product: its history, its page, a copy, and its deletion. */
export const ProductTools = ({ product, list }: ToolsProps) => (
  <>
    <HistoryLink object={product._id} className="btn" />
    {product.status === 'published' ? (
      <a href={productPath(product)} target="_blank" rel="noreferrer" className="btn">
        View in the shop
      </a>
    ) : (
      <a href={previewPath(product)} target="_blank" rel="noreferrer" className="btn">
        Preview
      </a>
    )}
    <Link
      to={`${href('/dashboard/admin/create-product')}?${new URLSearchParams({ copy: product.slug })}`}
      className="btn"
    >
      Duplicate
    </Link>
    <DialogButton
      dialog={<DeleteProduct product={product} list={list} />}
      className="btn btn-outline btn-error"
    >
      DELETE PRODUCT
    </DialogButton>
  </>
)

/** Deletes a product after a prompt for a word and a confirmation (spec §2). */
function DeleteProduct({ product: { _id: id, name }, list }: ToolsProps) {
  const [isConfirming, setConfirming] = useState(false)
  return isConfirming ? (
    <ChangeDialog
      title={`Delete ${name}?`}
      action="Delete product"
      deletes
      run={() => call(productAdminCalls.deleteProduct, { params: { id } })}
      to={list}
      failed="The product could not be deleted."
    >
      “{name}” is deleted from the shop. This cannot be undone. Past orders keep their copy of it.
    </ChangeDialog>
  ) : (
    <PromptDialog
      title="Are you sure you want to delete this product?"
      label="Type anything to continue"
      hint={name}
      onAnswer={() => setConfirming(true)}
    />
  )
}
