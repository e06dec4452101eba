import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { DeleteDialog } from '#app/back-office/form-dialog.tsx'
import { BackOfficePage } from '#app/back-office/page.tsx'
import { RowActions, RowDialogs } from '#app/back-office/row-actions.tsx'
import { categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { type Category, categoryCalls } from '#app/categories/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import { toast } from '#app/shared/web/toast.tsx'
import type { Route } from './+types/manage-category-page.ts'
import { CategoryForm, EditCategory } from './category-form.tsx'

export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  loadOrToast(context.get(callContext)(categoryCalls.getCategories), MESSAGES.categoriesFailed)

/** Creates, renames and deletes categories (spec §2). */
export default function ManageCategoryPage({ loaderData }: Route.ComponentProps) {
  const [added, setAdded] = useState('')
  const { revalidate } = useRevalidator()
  const last = useLastLoaded(loaderData)

  /** The table and the navbar are reloaded also after a failure. */
  const change = async (changing: Promise<{ message: string }>) => {
    const { message } = await changing.finally(revalidate)
    toast.success(message)
  }
  const create = async () => {
    await change(call(categoryAdminCalls.createCategory, { body: { name: added } }))
    setAdded('')
  }
  const rename = ({ _id: id }: Category, name: string) =>
    change(call(categoryAdminCalls.updateCategory, { params: { id }, body: { name } }))

  return (
    <BackOfficePage title="Manage Category">
      <section aria-label="New category" className="surface p-4 sm:p-6">
        <CategoryForm
          name={added}
          onName={setAdded}
          save={create}
          failed={MESSAGES.categoryCreateFailed}
        />
      </section>
      {!loaderData && <NotLoaded />}
      {last && (
        <RowDialogs>
          <CategoryTable categories={last.category} rename={rename} />
        </RowDialogs>
      )}
    </BackOfficePage>
  )
}

type TableProps = {
  categories: Category[]
  rename: (category: Category, name: string) => Promise<void>
}

/** All categories with buttons to edit and delete (spec §2). */
function CategoryTable({ categories, rename }: TableProps) {
  if (categories.length === 0) {
    return (
      <p className="surface px-6 py-16 text-center text-lg">
        There are no categories yet. Enter a name to create the first one.
      </p>
    )
  }
  return (
    <div className="surface overflow-hidden">
      <table className="table">
        <thead className="bg-base-200/60 text-base-content/75">
          <tr>
            <th scope="col" className="sm:ps-6">
              Name
            </th>
            <th scope="col" className="w-0 sm:pe-6">
              Actions
            </th>
          </tr>
        </thead>
        <tbody>
          {categories.map((category) => (
            <tr key={category._id}>
              <td id={`name-${category._id}`} className="wrap-anywhere text-base sm:ps-6">
                {category.name}
              </td>
              <td className="sm:pe-6">
                <RowActions
                  object={category._id}
                  describedBy={`name-${category._id}`}
                  edit={(close) => (
                    <EditCategory
                      category={category}
                      save={(name) => rename(category, name).then(close)}
                      onClose={close}
                    />
                  )}
                  remove={(close) => (
                    <DeleteDialog
                      title={`Delete ${category.name}?`}
                      remove={() =>
                        call(categoryAdminCalls.deleteCategory, { params: { id: category._id } })
                      }
                      failed={MESSAGES.categoryChangeFailed}
                      onClose={close}
                    >
                      A category can only be deleted while no product is in it.
                    </DeleteDialog>
                  )}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
