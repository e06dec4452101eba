import type { Category } from '#app/categories/contract.ts'
import { Labelled } from '#app/shared/web/form/labelled.tsx'

type Props = { categories: Category[]; chosen?: Category }

/** A native select of one category, used when the searchable one cannot be loaded. */
export function PlainCategorySelect({ categories, chosen }: Props) {
  const isListed = categories.some(({ _id }) => _id === chosen?._id)
  const choice = chosen && !isListed ? [chosen, ...categories] : categories
  return (
    <Labelled label="Category" name="category">
      {(id, problem) => (
        <select
          {...problem}
          id={id}
          name="category"
          defaultValue={chosen?._id}
          className="select w-full bg-base-200"
        >
          <option value="">Select a category</option>
          {choice.map(({ _id, name }) => (
            <option key={_id} value={_id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}
