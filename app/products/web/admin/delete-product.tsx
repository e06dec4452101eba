import { useState } from 'react'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import type { Product } from '#app/products/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ConfirmDialog } from '#app/shared/web/dialog/confirm-dialog.tsx'
import { PromptDialog } from '#app/shared/web/dialog/prompt-dialog.tsx'
import { toast } from '#app/shared/web/toast/toast.ts'

type Props = { product: Product; onDeleted: () => void }

/** Deletes a product after a prompt for a word and a confirmation (spec §2). */
export function DeleteProduct({ product: { _id: id, name }, onDeleted }: Props) {
  const [step, setStep] = useState<'prompt' | 'confirmation' | null>(null)
  const close = () => setStep(null)
  const remove = async () => {
    const { message } = await call(productAdminCalls.deleteProduct, { params: { id } })
    toast.success(message)
    onDeleted()
  }
  return (
    <>
      <button
        type="button"
        onClick={() => setStep('prompt')}
        className="btn btn-outline btn-error max-sm:w-full"
      >
        DELETE PRODUCT
      </button>
      {step === 'prompt' && (
        <PromptDialog
          title="Are you sure you want to delete this product?"
          label="Type anything to continue"
          onAnswer={() => setStep('confirmation')}
          onClose={close}
        />
      )}
      {step === 'confirmation' && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          action="Delete product"
          onConfirm={remove}
          failed="The product could not be deleted."
          onClose={close}
        >
          “{name}” is deleted from the shop. This cannot be undone. Past orders keep their copy of
          it.
        </ConfirmDialog>
      )}
    </>
  )
}
