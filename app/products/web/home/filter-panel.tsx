import { Form } from 'react-router'
import type { Category } from '#app/categories/contract.ts'
import { usePriceBands } from '../price-bands.ts'
import type { Choice } from './choice.ts'

type Props = { categories: Category[]; choice: Choice; onChoose: (choice: Choice) => void }

/** Filter By Category, Filter By Price, Reset Filters (spec §2). */
export function FilterPanel({ categories, choice, onChoose }: Props) {
  const toggle = (id: string) =>
    onChoose({
      ...choice,
      categories: choice.categories.includes(id)
        ? choice.categories.filter((other) => other !== id)
        : [...choice.categories, id],
    })
  const bands = usePriceBands(choice.price)
  const chosen = choice.categories.length + (choice.price === null ? 0 : 1)
  return (
    <Form action="/" aria-label="Filters" className="relative lg:sticky lg:top-24">
      <details className="filter-panel">
        <summary>Filters{chosen > 0 && ` (${chosen})`}</summary>
        <fieldset hidden={categories.length === 0}>
          <legend className="filter-title">Filter By Category</legend>
          <div className="filter-options">
            {categories.map(({ _id, name }) => (
              <label key={_id} className="filter-option">
                <input
                  type="checkbox"
                  name="category"
                  value={_id}
                  checked={choice.categories.includes(_id)}
                  onChange={() => toggle(_id)}
                  className="checkbox checkbox-primary checkbox-sm"
                />
                {name}
              </label>
            ))}
          </div>
        </fieldset>
        <fieldset>
          <legend className="filter-title">Filter By Price</legend>
          <div className="filter-options">
            {bands.map(({ label, key }) => (
              <label key={key} className="filter-option">
                <input
                  type="radio"
                  name="price"
                  value={key}
                  checked={choice.price === key}
                  onChange={() => onChoose({ ...choice, price: key })}
                  className="radio radio-primary radio-sm"
                />
                {label}
              </label>
            ))}
          </div>
        </fieldset>
        <noscript>
          <button type="submit" className="btn btn-secondary btn-sm w-full">
            Apply
          </button>
        </noscript>
      </details>
      {/* spec §2: reloads the page at the URL without filters */}
      <button
        type="button"
        onClick={() => window.location.assign('/')}
        className="btn btn-outline btn-sm needs-script absolute end-0 top-0 border-base-300 lg:static lg:mt-4 lg:w-full"
      >
        Reset Filters
      </button>
    </Form>
  )
}
