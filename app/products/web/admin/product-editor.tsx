import { useId, useRef, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { EditConflict } from '#app/back-office/edit-conflict.tsx'
import { categoryCalls } from '#app/categories/contract.ts'
import { CATEGORY_GONE, productAdminCalls } from '#app/products/admin-contract.ts'
import { type DetailedProduct, productCalls } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { type Call, CallFailure } from '#app/shared/web/call.ts'
import { useLastLoaded } from '#app/shared/web/failure.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { UnsavedChangesPrompt } from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { loadOrToast } from '#app/shared/web/load.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { TAX_CLASSES_FAILED, taxAdminCalls } from '#app/taxes/admin-contract.ts'
import { DeleteProduct } from './delete-product.tsx'
import { ProductFields } from './product-fields.tsx'
import { editOf, isChanged, photoIn, textsIn } from './product-form.ts'

/** The choices of the form's selects; null where it could not be loaded. */
export const loadChoices = (call: Call) =>
  Promise.all([
    loadOrToast(call(categoryCalls.getCategories), MESSAGES.categoriesFailed),
    loadOrToast(call(taxAdminCalls.getTaxClasses), TAX_CLASSES_FAILED),
  ])

type Props = {
  choices: Awaited<ReturnType<typeof loadChoices>>
  /** Undefined for a new product. */
  product?: DetailedProduct
}

/**
 * The form of a new product, or of a product as it was first read. Later loads do not change it, so a save
 * never overwrites another admin's edit unnoticed.
 */
export function ProductEditor({ product, choices }: Props) {
  const [{ read, times }, setRead] = useState({ read: product, times: 1 })
  const [stale, setStale] = useState<CallFailure | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const isOver = useRef(false)
  const formId = useId()
  const navigate = useNavigate()
  const { state } = useLocation()
  const { revalidate } = useRevalidator()
  const categories = useLastLoaded(choices[0])
  const taxClasses = useLastLoaded(choices[1])
  const leave = () => {
    isOver.current = true
    // at the page and search of the link followed
    return navigate(href('/dashboard/admin/products') + (state?.list ?? ''))
  }
  const save = (sent: FormData) => {
    const photo = photoIn(sent)
    if (!read) return call(productAdminCalls.createProduct, { body: textsIn(sent), photo })
    const params = { id: read._id }
    return call(productAdminCalls.updateProduct, { params, body: editOf(read, sent), photo })
  }
  const submit = useSubmit(
    async (_, sent) => {
      const { message } = await save(sent).catch((error) => {
        if (error instanceof CallFailure && error.code === 'stale') setStale(error)
        // the selected category was deleted
        if (error instanceof CallFailure && error.serverMessage === CATEGORY_GONE) void revalidate()
        throw error
      })
      toast.success(message)
      await leave()
    },
    {
      failed: read ? 'The product could not be saved.' : MESSAGES.productCreateFailed,
      refused: revalidate,
    },
  )
  const readAgain = async ({ slug }: DetailedProduct) => {
    const { product: now } = await call(productCalls.getProduct, { params: { slug } })
    setRead({ read: now, times: times + 1 })
    setStale(null)
  }
  return (
    <div className="surface space-y-6 p-4 sm:p-8">
      {read && stale && (
        <EditConflict
          key={stale.requestId}
          conflict={stale}
          label="Load it again"
          readAgain={() => readAgain(read)}
          failed="The product could not be loaded."
        />
      )}
      {/* a new form when the product is read again, even if only its stock changed */}
      <SubmitForm key={times} submit={submit} ref={form} id={formId}>
        <ProductFields
          categories={categories?.category ?? []}
          taxClasses={taxClasses ?? []}
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
          {read ? 'UPDATE PRODUCT' : 'CREATE PRODUCT'}
        </BusyButton>
        {read && <DeleteProduct product={read} onDeleted={leave} />}
      </div>
      <UnsavedChangesPrompt
        isChanged={() =>
          !isOver.current && form.current !== null && isChanged(new FormData(form.current), read)
        }
      />
    </div>
  )
}
