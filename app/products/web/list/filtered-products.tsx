import type { ReactNode } from 'react'
import type { Category } from '#app/categories/contract.ts'
import type { FacetCounts } from '#app/products/facet-contract.ts'
import type { SearchOrder } from '#app/products/model.ts'
import {
  type Choice,
  choicePath,
  filtersIn,
  type ListPlace,
  toggled,
  useChoice,
  withoutFilters,
} from './choice.ts'
import { Checkboxes, type Facets, FilterPanel, type PartProps } from './filter-panel.tsx'
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

/** The values of each option that some of the products have. */
function OptionFacets({ choice, onChoose, facets }: PartProps) {
  const groups = Map.groupBy(facets?.options ?? [], ({ key }) => key.split(':')[0])
  return [...groups].map(([group, values]) => (
    <Checkboxes
      key={group}
      title={values[0]?.name ?? ''}
      name="f"
      values={values.map(({ key, value, count }) => ({ value: key, label: value, count }))}
      chosen={choice.facets}
      onChange={(chosen) => onChoose({ ...choice, facets: chosen })}
      facets={facets}
    />
  ))
}

type ChipsProps = { choice: Choice; place: ListPlace; options: FacetCounts }

/** The chosen facets, each a link to the list without it. */
const Chips = ({ choice, place, options }: ChipsProps) =>
  choice.facets.length > 0 && (
    <ul aria-label="Chosen" className="mb-4 flex flex-wrap gap-2">
      {choice.facets.map((key) => {
        const facet = options.find((one) => one.key === key)
        return (
          <li key={key}>
            <ChoiceLink
              to={choicePath({ ...choice, facets: toggled(choice.facets, key) }, place)}
              className="rounded-full border-base-300 bg-base-100 font-medium"
            >
              <span className="sr-only">Remove </span>
              {facet ? `${facet.name}: ${facet.value}` : key.replace(':', ': ')}
              <span aria-hidden="true">×</span>
            </ChoiceLink>
          </li>
        )
      })}
    </ul>
  )

type LinkProps = { to: string; isCurrent?: boolean; className: string; children: ReactNode }

/** A link to another choice of the same list. */
const ChoiceLink = ({ to, isCurrent, className, children }: LinkProps) => (
  <a
    href={to}
    data-prevent-scroll-reset=""
    aria-current={isCurrent ? 'true' : undefined}
    className={`btn btn-sm ${className}`}
  >
    {children}
  </a>
)
