import type { SearchOrder } from '#app/products/search-contract.ts'
import { type ChoicePlace, SEARCH_PLACE, type SearchChoice, searchPath } from './search-choice.ts'

const NAMES: Record<SearchOrder, string> = {
  relevance: 'Best match',
  newest: 'Newest',
  'price-up': 'Price, low to high',
  'price-down': 'Price, high to low',
}

const ORDERS = Object.keys(NAMES).filter((order): order is SearchOrder => order in NAMES)

type Props = { choice: SearchChoice; place?: ChoicePlace }

/** Links to the sort orders. Without a keyword there is no best match. */
export function SortLinks({ choice, place = SEARCH_PLACE }: Props) {
  const orders = ORDERS.filter((sort) => sort !== 'relevance' || place.usual === 'relevance')
  return (
    <nav aria-label="Sort by" className="mb-6">
      <ul className="flex flex-wrap gap-2 py-1">
        {orders.map((sort) => (
          <li key={sort}>
            <a
              href={searchPath({ ...choice, sort }, place)}
              data-prevent-scroll-reset=""
              aria-current={choice.sort === sort ? 'true' : undefined}
              className="btn btn-sm rounded-full border-base-300 bg-base-100 font-medium aria-[current]:border-primary aria-[current]:font-bold aria-[current]:text-primary"
            >
              {NAMES[sort]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
