import { useNavigate, useRevalidator } from 'react-router'
import { categoryCalls } from '#app/categories/contract.ts'
import { productAdminCalls } from '#app/products/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { useLastLoaded } from '#app/shared/web/failure.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { UnsavedChangesPrompt } from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { PageHead } from '#app/shared/web/head.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { TAX_CLASSES_FAILED, taxAdminCalls } from '#app/taxes/admin-contract.ts'
import type { Route } from './+types/create-product-page.ts'
import { ProductFields } from './product-fields.tsx'
import { photoIn, textsIn } from './product-form.ts'
import { useReloadIfGone } from './use-reload-if-gone.ts'
import { useUnsaved } from './use-unsaved.ts'

export const clientLoader = async ({ context }: Route.ClientLoaderArgs) => {
  const call = context.get(callContext)
  const [categories, taxClasses] = await Promise.all([
    loadOrToast(call(categoryCalls.getCategories), MESSAGES.categoriesFailed),
    loadOrToast(call(taxAdminCalls.getTaxClasses), TAX_CLASSES_FAILED),
  ])
  return { categories, taxClasses }
}

/** Creates a product (spec §2). The server validates it. */
export default function CreateProductPage({ loaderData }: Route.ComponentProps) {
  const categories = useLastLoaded(loaderData.categories)
  const taxClasses = useLastLoaded(loaderData.taxClasses)
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const reloadIfGone = useReloadIfGone()
  const unsaved = useUnsaved()
  const submit = useSubmit(
    async (_, sent) => {
      const { message } = await call(productAdminCalls.createProduct, {
        body: textsIn(sent),
        photo: photoIn(sent),
      }).catch(reloadIfGone)
      toast.success(message)
      unsaved.end()
      await navigate(href('/dashboard/admin/products'))
    },
    { failed: MESSAGES.productCreateFailed, refused: revalidate },
  )
  return (
    <section className="space-y-6">
      <PageHead title="Create Product" hidden />
      <h1 className="text-3xl">Create Product</h1>
      <SubmitForm submit={submit} ref={unsaved.form} className="surface space-y-6 p-4 sm:p-8">
        <ProductFields
          categories={categories?.category ?? []}
          taxClasses={taxClasses}
          isSaving={submit.busy}
        />
        <BusyButton
          type="submit"
          busy={submit.busy}
          className="btn-primary w-full sm:w-auto sm:px-10"
        >
          CREATE PRODUCT
        </BusyButton>
      </SubmitForm>
      <UnsavedChangesPrompt isChanged={unsaved.isUnsaved} />
    </section>
  )
}
