import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { type Category, categoryCalls } from '#app/categories/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { ConfirmDialog } from '#app/shared/web/confirm-dialog.tsx'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import { toast } from '#app/shared/web/toast.tsx'
import type { Route } from './+types/manage-category-page.ts'
import { CategoryForm } from './category-form.tsx'
import { CategoryTable } from './category-table.tsx'
import { EditCategory } from './edit-category.tsx'

export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  loadOrToast(context.get(callContext)(categoryCalls.getCategories), MESSAGES.categoriesFailed)

/** Creates, renames and deletes categories (spec §2). */
export default function ManageCategoryPage({ loaderData }: Route.ComponentProps) {
  const [added, setAdded] = useState('')
  const [edited, edit] = useState<Category | null>(null)
  const [doomed, doom] = useState<Category | null>(null)
  const { revalidate } = useRevalidator()
  const last = useLastLoaded(loaderData)

  /** The table and the navbar are reloaded also after a failure. */
  const change = async (changing: Promise<{ message: string }>) => {
    const { message } = await changing.finally(revalidate)
    edit(null)
    doom(null)
    toast.success(message)
  }
  const create = async () => {
    await change(call(categoryAdminCalls.createCategory, { body: { name: added } }))
    setAdded('')
  }
  const rename = ({ _id: id }: Category, name: string) =>
    change(call(categoryAdminCalls.updateCategory, { params: { id }, body: { name } }))
  const remove = ({ _id: id }: Category) =>
    change(call(categoryAdminCalls.deleteCategory, { params: { id } }))

  return (
    <div className="space-y-6">
      <PageHead title="Manage Category" hidden />
      <h1 className="text-3xl">Manage Category</h1>
      <section aria-label="New category" className="surface p-4 sm:p-6">
        <CategoryForm
          name={added}
          onName={setAdded}
          save={create}
          failed={MESSAGES.categoryCreateFailed}
        />
      </section>
      {!loaderData && <NotLoaded />}
      {last && <CategoryTable categories={last.category} onEdit={edit} onDelete={doom} />}
      {edited && (
        <EditCategory
          category={edited}
          save={(name) => rename(edited, name)}
          onClose={() => edit(null)}
        />
      )}
      {doomed && (
        <ConfirmDialog
          title={`Delete ${doomed.name}?`}
          action="Delete"
          onConfirm={() => remove(doomed)}
          failed={MESSAGES.categoryChangeFailed}
          onClose={() => doom(null)}
        >
          A category can only be deleted while no product is in it.
        </ConfirmDialog>
      )}
    </div>
  )
}
