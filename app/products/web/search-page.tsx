import { call } from '#app/shared/web/browser-call.ts'
import type { Call } from '#app/shared/web/call.ts'
import {
  revalidateUnlessReturning,
  stayOnFailure,
} from '#app/shared/web/failure/stay-on-failure.ts'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import { pageOf, requireFound, withPage } from '#app/shared/web/navigation/page-number.ts'
import { PageHead } from '#app/shared/web/page-head.tsx'
import { type FoundShop, searchCalls } from '../search-contract.ts'
import type { Route } from './+types/search-page.ts'
import { ProductList } from './list/product-list.tsx'
import { useFilters } from './list/use-filters.ts'
import { useResultCount } from './list/use-result-count.ts'
import { FacetPanel } from './search/facet-panel.tsx'
import { NamedCategories } from './search/named-categories.tsx'
import {
  filtersIn,
  type SearchChoice,
  searchChoiceOf,
  searchParamsOf,
  searchPath,
  withoutFilters,
} from './search/search-choice.ts'
import { SortLinks } from './search/sort-links.tsx'

function find(
  call: Call,
  { keyword, categories, price, inStock, sort }: SearchChoice,
  page: number,
) {
  return call(searchCalls.searchShop, {
    query: {
      keyword,
      page,
      ...(categories.length > 0 && { category: categories.join(',') }),
      ...(price !== null && { price }),
      ...(inStock && { stock: 'in' as const }),
      ...(sort !== 'relevance' && { sort }),
    },
  })
}

export const handle = {
  canonicalParams: (params: URLSearchParams) =>
    withPage(searchParamsOf(searchChoiceOf(params)), pageOf(params)),
}

const load = async ({ request, context }: Pick<LoadArgs, 'request' | 'context'>) => {
  const { searchParams } = new URL(request.url)
  const choice = searchChoiceOf(searchParams)
  const page = pageOf(searchParams)
  const found = await find(callOf({ context }), choice, page)
  requireFound(page, found.products)
  return { choice, page, ...found }
}

export const loader = (args: Route.LoaderArgs) => load(args)
export const clientLoader = stayOnFailure(load)
export const shouldRevalidate = revalidateUnlessReturning

/** The results (spec §2). The URL holds keyword, filters and order, so it can be shared. */
export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { choice, page, products, total, corrected, facets } = loaderData
  const { shown, choose, waiting } = useFilters(choice, searchPath)
  const isChosen = filtersIn(choice) > 0 || choice.sort !== 'relevance'
  useResultCount(total)
  return (
    <section className="mx-auto max-w-7xl px-4 pt-12 lg:px-8">
      <PageHead
        title={choice.keyword ? `Search: ${choice.keyword}` : 'Search'}
        description={
          choice.keyword
            ? `${total} ${total === 1 ? 'product' : 'products'} for “${choice.keyword}”.`
            : 'Search all products by name and description.'
        }
        path={searchPath({ ...withoutFilters(choice), sort: 'relevance' })}
        // anyone can make up keywords: search engines index only unfiltered exact results
        hidden={total === 0 || corrected !== null || page > 1 || isChosen}
      />
      <Found {...loaderData} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-8">
        <aside>
          {(products.length > 0 || waiting || filtersIn(choice) > 0) && (
            <FacetPanel facets={facets} choice={shown} onChoose={choose} />
          )}
        </aside>
        <div aria-busy={waiting}>
          {total > 1 && <SortLinks choice={choice} />}
          <ProductList
            first={loaderData}
            load={(page) => find(call, choice, page)}
            heading="h2"
            leading="first"
            cutAt={30}
            details="Details"
          />
        </div>
      </div>
    </section>
  )
}

/** The number of results, and the correction of a misspelled word. */
function Found({ choice, total, isCut, corrected }: FoundShop & { choice: SearchChoice }) {
  return (
    <header className="mb-8">
      <h1 className="text-4xl sm:text-5xl">Search Results</h1>
      <p className="mt-2 text-base-content/75">
        {total === 0 ? 'No Products Found' : `Found ${total}`}
      </p>
      {isCut && (
        <p className="mt-1 text-base-content/75 text-sm">
          There are more results. These match best.
        </p>
      )}
      {corrected !== null && (
        <p className="wrap-anywhere mt-3 text-lg">
          Did you mean{' '}
          <a
            href={searchPath({ ...choice, keyword: corrected })}
            className="link font-semibold text-primary"
          >
            {corrected}
          </a>
          ?
        </p>
      )}
      <NamedCategories keyword={choice.keyword} />
      {total === 0 && corrected === null && (
        <a href="/categories" className="btn btn-outline mt-6 border-base-300">
          All Categories
        </a>
      )}
    </header>
  )
}
