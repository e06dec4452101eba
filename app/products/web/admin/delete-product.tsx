import { type SubmitEvent, useState } from 'react'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import type { Product } from '#app/products/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ConfirmDialog } from '#app/shared/web/confirm-dialog.tsx'
import { Dialog } from '#app/shared/web/dialog.tsx'
import { Field } from '#app/shared/web/form/field.tsx'
import { toast } from '#app/shared/web/toast.tsx'

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
        <PromptDialog onAnswer={() => setStep('confirmation')} onClose={close} />
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

/** Prompts for a text; blanks alone count as none. */
function PromptDialog({ onAnswer, onClose }: { onAnswer: () => void; onClose: () => void }) {
  const [text, setText] = useState('')
  const answer = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (text.trim() !== '') onAnswer()
  }
  return (
    <Dialog title="Are you sure you want to delete this product?" onClose={onClose}>
      <form method="post" onSubmit={answer} className="space-y-6">
        <Field
          label="Type anything to continue"
          value={text}
          onChange={({ target }) => setText(target.value)}
          autoComplete="off"
        />
        <div className="flex justify-end gap-3">
          <button type="button" onClick={onClose} className="btn">
            Cancel
          </button>
          <button type="submit" disabled={text.trim() === ''} className="btn btn-primary">
            OK
          </button>
        </div>
      </form>
    </Dialog>
  )
}
