import { Link } from 'react-router'
import type { SearchOrder } from '#app/products/search-contract.ts'
import { type SearchChoice, searchPath } from './search-choice.ts'

const NAMES: Record<SearchOrder, string> = {
  relevance: 'Best match',
  newest: 'Newest',
  'price-up': 'Price, low to high',
  'price-down': 'Price, high to low',
}

const ORDERS = Object.keys(NAMES).filter((order): order is SearchOrder => order in NAMES)

/** Ways to sort what was found; each is an address. */
export function SortLinks({ choice }: { choice: SearchChoice }) {
  return (
    <nav aria-label="Sort by" className="-mx-4 mb-6 overflow-x-auto px-4 lg:mx-0 lg:px-0">
      <ul className="flex w-max gap-2 py-1 pe-4">
        {ORDERS.map((sort) => (
          <li key={sort}>
            <Link
              to={searchPath({ ...choice, sort })}
              preventScrollReset
              aria-current={choice.sort === sort ? 'true' : undefined}
              className="btn btn-sm rounded-full border-base-300 bg-base-100 font-medium aria-[current]:border-primary aria-[current]:text-primary"
            >
              {NAMES[sort]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
