import type { Category } from '#app/categories/contract.ts'
import type { SearchOrder } from '#app/products/model.ts'
import {
  type Choice,
  choicePath,
  filtersIn,
  type ListPlace,
  useChoice,
  withoutFilters,
} from './choice.ts'
import { type Facets, FilterPanel } from './filter-panel.tsx'
import { ChoiceLink } from './filtered-link.tsx'
import { Chips, OptionFacets } from './filtered-options.tsx'
import { type Listing, type ListingPage, ProductList } from './product-list.tsx'

type Props = {
  place: ListPlace
  choice: Choice
  first: ListingPage
  categories: (Category & { count: number })[]
  facets: Facets
  load: (page: number) => Promise<Listing>
}

/** The products of a search or a category, with filters, their counts, and sort orders. */
export function FilteredProducts({ place, choice, first, categories, facets, load }: Props) {
  const { total, products } = first
  const { shown, choose, isWaiting } = useChoice(choice, place, total)
  const hasFilters = products.length > 0 || isWaiting || filtersIn(choice) > 0
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-8">
      <aside>
        {hasFilters && (
          <FilterPanel
            place={place}
            choice={shown}
            onChoose={choose}
            categories={categories}
            facets={facets}
            options={<OptionFacets choice={shown} onChoose={choose} facets={facets} />}
          >
            {filtersIn(shown) > 0 && (
              <ChoiceLink
                to={choicePath(withoutFilters(shown), place)}
                className="btn-outline absolute end-0 top-0 border-base-300 lg:static lg:mt-4 lg:w-full"
              >
                Clear filters
              </ChoiceLink>
            )}
          </FilterPanel>
        )}
      </aside>
      <div aria-busy={isWaiting}>
        <Chips choice={choice} place={place} options={facets.options ?? []} />
        {total > 1 && <SortLinks choice={choice} place={place} />}
        <ProductList
          first={first}
          load={load}
          heading="h2"
          leading="first"
          cutAt={30}
          details="Details"
        />
      </div>
    </div>
  )
}

const NAMES: Record<SearchOrder, string> = {
  relevance: 'Best match',
  newest: 'Newest',
  'price-up': 'Price, low to high',
  'price-down': 'Price, high to low',
}

/** Links to the sort orders. */
const SortLinks = ({ choice, place }: Pick<Props, 'choice' | 'place'>) => (
  <nav aria-label="Sort by" className="mb-6">
    <ul className="flex flex-wrap gap-2 py-1">
      {place.orders.map((order) => (
        <li key={order}>
          <ChoiceLink
            to={choicePath({ ...choice, order }, place)}
            isCurrent={choice.order === order}
            className="rounded-full border-base-300 bg-base-100 font-medium aria-[current]:border-primary aria-[current]:font-bold aria-[current]:text-primary"
          >
            {NAMES[order]}
          </ChoiceLink>
        </li>
      ))}
    </ul>
  </nav>
)
