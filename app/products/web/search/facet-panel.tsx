import { Form } from 'react-router'
import type { FoundShop } from '#app/products/search-contract.ts'
import { usePriceBands } from '../price-bands.ts'
import {
  type ChoicePlace,
  filtersIn,
  SEARCH_PLACE,
  type SearchChoice,
  searchPath,
  withoutFilters,
} from './search-choice.ts'

const CHECKBOX = 'checkbox checkbox-primary checkbox-sm'

type Props = {
  facets: FoundShop['facets'] & { inStock?: number }
  choice: SearchChoice
  place?: ChoicePlace
  onChoose: (choice: SearchChoice) => void
}

/**
 * The filters of a search or a category with their counts. Without scripts they are submitted by
 * Apply.
 */
export function FacetPanel({ facets, choice, place = SEARCH_PLACE, onChoose }: Props) {
  const chosen = filtersIn(choice)
  const more = facets.areCut ? '+' : ''
  return (
    <Form action={place.path} aria-label="Filters" className="relative lg:sticky lg:top-24">
      {place === SEARCH_PLACE && <input type="hidden" name="q" value={choice.keyword} />}
      {choice.sort !== place.usual && <input type="hidden" name="sort" value={choice.sort} />}
      <details className="filter-panel">
        <summary>Filters{chosen > 0 && ` (${chosen})`}</summary>
        <Categories facets={facets} choice={choice} onChoose={onChoose} more={more} />
        <Prices facets={facets} choice={choice} onChoose={onChoose} more={more} />
        <fieldset>
          <legend className="filter-title">Availability</legend>
          <div className="filter-options">
            <Option
              label="In stock only"
              {...(facets.inStock !== undefined && { count: `${facets.inStock}` })}
              type="checkbox"
              name="stock"
              value="in"
              checked={choice.inStock}
              onChange={() => onChoose({ ...choice, inStock: !choice.inStock })}
            />
          </div>
        </fieldset>
        <noscript>
          <button type="submit" className="btn btn-secondary btn-sm mt-4 w-full">
            Apply
          </button>
        </noscript>
      </details>
      {chosen > 0 && (
        <a
          href={searchPath(withoutFilters(choice), place)}
          data-prevent-scroll-reset=""
          className="btn btn-outline btn-sm absolute end-0 top-0 border-base-300 lg:static lg:mt-4 lg:w-full"
        >
          Clear filters
        </a>
      )}
    </Form>
  )
}

type FacetProps = Props & { more: string }

function Categories({ facets, choice, onChoose, more }: FacetProps) {
  if (facets.categories.length === 0) return null
  const { categories } = choice
  const toggle = (id: string) =>
    onChoose({
      ...choice,
      categories: categories.includes(id)
        ? categories.filter((other) => other !== id)
        : [...categories, id],
    })
  return (
    <fieldset>
      <legend className="filter-title">Category</legend>
      <div className="filter-options lg:max-h-80 lg:flex-nowrap lg:overflow-y-auto">
        {facets.categories.map(({ _id, name, count }) => (
          <Option
            key={_id}
            label={name}
            count={`${count}${more}`}
            type="checkbox"
            name="category"
            value={_id}
            checked={categories.includes(_id)}
            onChange={() => toggle(_id)}
          />
        ))}
      </div>
    </fieldset>
  )
}

function Prices({ facets, choice, onChoose, more }: FacetProps) {
  const counts = new Map(facets.prices.map(({ price, count }) => [price, count]))
  const shown = usePriceBands(choice.price).filter(
    ({ key }) => counts.has(key) || key === choice.price,
  )
  if (shown.length === 0) return null
  return (
    <fieldset>
      <legend className="filter-title">Price</legend>
      <div className="filter-options">
        <Option
          label="Any price"
          type="radio"
          name="price"
          value=""
          checked={choice.price === null}
          onChange={() => onChoose({ ...choice, price: null })}
        />
        {shown.map(({ label, key: price }) => (
          <Option
            key={price}
            label={label}
            count={`${counts.get(price) ?? 0}${more}`}
            type="radio"
            name="price"
            value={price}
            checked={choice.price === price}
            onChange={() => onChoose({ ...choice, price })}
          />
        ))}
      </div>
    </fieldset>
  )
}

type OptionProps = {
  label: string
  count?: string
  type: 'checkbox' | 'radio'
  name: string
  value: string
  checked: boolean
  onChange: () => void
}

/** A checkbox with its name and its count. */
function Option({ label, count, ...input }: OptionProps) {
  const look = input.type === 'radio' ? 'radio radio-primary radio-sm' : CHECKBOX
  return (
    <label className="filter-option">
      <input {...input} className={look} />
      <span>{label}</span>{' '}
      {count && <span className="ms-auto text-base-content/75 text-sm tabular-nums">{count}</span>}
    </label>
  )
}
