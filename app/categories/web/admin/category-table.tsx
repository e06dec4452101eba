import { HistoryLink } from '#app/audit/web/history-link.tsx'
import type { Category } from '#app/categories/contract.ts'

type Props = {
  categories: Category[]
  onEdit: (category: Category) => void
  onDelete: (category: Category) => void
}

/** All categories with buttons to edit and delete (spec §2). */
export function CategoryTable({ categories, onEdit, onDelete }: Props) {
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
                <div className="flex items-center justify-end gap-2">
                  <HistoryLink object={category._id} describedBy={`name-${category._id}`} />
                  <button
                    type="button"
                    aria-describedby={`name-${category._id}`}
                    onClick={() => onEdit(category)}
                    className="btn btn-sm btn-outline border-base-300"
                  >
                    Edit
                  </button>
                  <button
                    type="button"
                    aria-describedby={`name-${category._id}`}
                    onClick={() => onDelete(category)}
                    className="btn btn-sm btn-ghost text-error"
                  >
                    Delete
                  </button>
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
