import { useId, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import type { Category } from '#app/categories/contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { type DetailedProduct, productCalls } from '#app/products/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { CallFailure } from '#app/shared/web/call.ts'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { UnsavedChangesPrompt } from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'
import type { TaxClass } from '#app/taxes/admin-contract.ts'
import { DeleteProduct } from './delete-product.tsx'
import { useListPath } from './list-path.ts'
import { ProductFields } from './product-fields.tsx'
import { editOf, photoIn } from './product-form.ts'
import { useReloadIfGone } from './use-reload-if-gone.ts'
import { useUnsaved } from './use-unsaved.ts'

type Props = {
  product: DetailedProduct
  categories: Category[]
  /** Null when they could not be loaded. */
  taxClasses: TaxClass[] | null
}

/**
 * The form of a product as it was first read. Later loads do not change it, so a save never
 * overwrites another admin's edit unnoticed.
 */
export function EditForm({ product, categories, taxClasses }: Props) {
  const [{ read, times }, setRead] = useState({ read: product, times: 1 })
  const [stale, setStale] = useState<string | null>(null)
  const formId = useId()
  const navigate = useNavigate()
  const list = useListPath()
  const { revalidate } = useRevalidator()
  const reloadIfGone = useReloadIfGone()
  const unsaved = useUnsaved(read)
  const leave = () => {
    unsaved.end()
    return navigate(list)
  }
  const submit = useSubmit(
    async (_, sent) => {
      const { message } = await call(productAdminCalls.updateProduct, {
        params: { id: read._id },
        body: editOf(read, sent),
        photo: photoIn(sent),
      }).catch((error) => {
        if (error instanceof CallFailure && error.code === 'stale') setStale(error.serverMessage)
        return reloadIfGone(error)
      })
      toast.success(message)
      await leave()
    },
    { failed: 'The product could not be saved.', refused: revalidate },
  )
  const readAgain = async () => {
    const { slug } = read
    const { product: now } = await call(productCalls.getProduct, { params: { slug } })
    setRead({ read: now, times: times + 1 })
    setStale(null)
  }
  return (
    <div className="surface space-y-6 p-4 sm:p-8">
      {stale !== null && <Stale message={stale} readAgain={readAgain} />}
      {/* a new form when the product is read again, even if only its stock changed */}
      <SubmitForm key={times} submit={submit} ref={unsaved.form} id={formId}>
        <ProductFields
          categories={categories}
          taxClasses={taxClasses}
          product={read}
          isSaving={submit.busy}
        />
      </SubmitForm>
      <div className="flex flex-wrap justify-between gap-3">
        <BusyButton
          type="submit"
          form={formId}
          busy={submit.busy}
          className="btn-primary max-sm:w-full sm:px-10"
        >
          UPDATE PRODUCT
        </BusyButton>
        <DeleteProduct product={read} onDeleted={leave} />
      </div>
      <UnsavedChangesPrompt isChanged={unsaved.isUnsaved} />
    </div>
  )
}

/**
 * The message of an edit conflict: nothing was overwritten, and the entered values are still there.
 */
function Stale({ message, readAgain }: { message: string; readAgain: () => Promise<void> }) {
  const { busy, form } = useSubmit(readAgain, { failed: 'The product could not be loaded.' })
  return (
    <form
      {...form}
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded-field border border-warning bg-warning/15 p-4"
    >
      <p>{message}</p>
      <BusyButton type="submit" busy={busy} className="btn-sm">
        Load it again
      </BusyButton>
    </form>
  )
}
