import { Link } from 'react-router'
import { ItemActions, RowDialogs } from '#app/back-office/kit/dialog-button.tsx'
import { Field } from '#app/back-office/kit/fields.tsx'
import { CardForm, FormDialog } from '#app/back-office/kit/form-dialog.tsx'
import { loadList } from '#app/back-office/kit/list-query.ts'
import type { Column } from '#app/back-office/kit/table.client.tsx'
import { TablePage } from '#app/back-office/kit/table-page.tsx'
import { type CountedCategory, categoryAdminCalls } from '#app/categories/admin-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import type { Route } from './+types/manage-category-page.ts'

export const clientLoader = (args: Route.ClientLoaderArgs) =>
  loadList(args, categoryAdminCalls.countCategories, [], MESSAGES.categoriesFailed)

const COLUMNS: Column<CountedCategory>[] = [
  { header: 'Name', csv: ({ name }) => name, phone: 'title' },
  {
    header: 'Products',
    align: 'end',
    cell: ({ _id, products }) => (
      <Link
        to={`${href('/dashboard/admin/products')}?${new URLSearchParams({ category: _id })}`}
        className="link link-hover"
      >
        {products.toLocaleString('en-US')}
      </Link>
    ),
    phone: 'end',
  },
  { header: 'Actions', cell: (category) => <Actions {...category} />, phone: 'break' },
]

/** Creates, renames and deletes categories (spec §2). */
export default function ManageCategoryPage({ loaderData }: Route.ComponentProps) {
  return (
    <RowDialogs>
      <TablePage
        title="Manage Category"
        what="category"
        found={loaderData.found}
        columns={COLUMNS}
        nameOf={({ name }) => name}
        searchLabel="Search by name"
        empty="There are no categories here. Enter a name to create one."
        above={
          <CardForm
            title="New category"
            action="Submit"
            save={(field) =>
              call(categoryAdminCalls.createCategory, { body: { name: field('name') } })
            }
            failed={MESSAGES.categoryCreateFailed}
          >
            <CategoryField />
          </CardForm>
        }
      />
    </RowDialogs>
  )
}

/** The one field of a category (spec §2). */
export const CategoryField = () => (
  <Field label="Category name" name="name" placeholder="Enter new category" />
)

const Actions = ({ _id: id, name }: CountedCategory) => (
  <ItemActions
    object={id}
    name={name}
    edit={
      <FormDialog
        title="Edit category"
        action="Submit"
        values={{ name }}
        save={(field) =>
          call(categoryAdminCalls.updateCategory, {
            params: { id },
            body: { name: field('name') },
          })
        }
        failed={MESSAGES.categoryChangeFailed}
        toasts
      >
        <CategoryField />
      </FormDialog>
    }
    remove={() => call(categoryAdminCalls.deleteCategory, { params: { id } })}
    warning="A category can only be deleted while no product is in it."
    failed={MESSAGES.categoryChangeFailed}
  />
)
