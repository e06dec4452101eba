import { useRouteLoaderData } from 'react-router'
import { type Category, categoryPath } from '#app/categories/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import type { Call } from '#app/shared/web/call.ts'
import { PageHead } from '#app/shared/web/head.tsx'
import {
  callOf,
  type LoadArgs,
  revalidateUnlessReturning,
  stayOnFailure,
} from '#app/shared/web/load.ts'
import { requireFound } from '#app/shared/web/query.ts'
import { wordsIn } from '../model.ts'
import { type FoundShop, searchCalls } from '../search-contract.ts'
import type { Route } from './+types/search-page.ts'
import {
  type Choice,
  choicePath,
  filterOf,
  filtersIn,
  handleOf,
  requestedIn,
  SEARCH,
  withoutFilters,
} from './list/choice.ts'
import { FilteredProducts } from './list/filtered-products.tsx'

const find = (call: Call, choice: Choice, page: number) =>
  call(searchCalls.searchShop, {
    query: {
      keyword: choice.keyword,
      ...filterOf(choice),
      page,
      ...(choice.order !== 'relevance' && { sort: choice.order }),
    },
  })

export const handle = handleOf(SEARCH)

const load = async ({ request, context }: Pick<LoadArgs, 'request' | 'context'>) => {
  const { choice, page } = requestedIn(request, SEARCH)
  const found = await find(callOf({ context }), choice, page)
  requireFound(page, found.products)
  return { choice, page, ...found }
}

export const loader = (args: Route.LoaderArgs) => load(args)
export const clientLoader = stayOnFailure(load)
export const shouldRevalidate = revalidateUnlessReturning

/** The results (spec §2). The URL contains keyword, filters and order, so it can be shared. */
export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { choice, page, total, corrected, facets } = loaderData
  const isChosen = filtersIn(choice) > 0 || choice.order !== 'relevance'
  return (
    <section className="mx-auto max-w-7xl px-4 pt-12 lg:px-8">
      <PageHead
        title={choice.keyword ? `Search: ${choice.keyword}` : 'Search'}
        description={
          choice.keyword
            ? `${total} ${total === 1 ? 'product' : 'products'} for “${choice.keyword}”.`
            : 'Search all products.'
        }
        path={choicePath({ ...withoutFilters(choice), order: 'relevance' }, SEARCH)}
        // anyone can make up keywords: search engines index only unfiltered exact results
        hidden={total === 0 || corrected !== null || page > 1 || isChosen}
      />
      <Found {...loaderData} />
      <FilteredProducts
        place={SEARCH}
        choice={choice}
        first={loaderData}
        categories={facets.categories}
        facets={facets}
        load={(page) => find(call, choice, page)}
      />
    </section>
  )
}

/** The number of results, and the correction of a misspelled word. */
function Found({ choice, total, isCut, corrected }: FoundShop & { choice: Choice }) {
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
            href={choicePath({ ...choice, keyword: corrected }, SEARCH)}
            className="link font-semibold text-primary"
          >
            {corrected}
          </a>
          ?
        </p>
      )}
      <NamedCategories keyword={choice.keyword} />
      {total === 0 && corrected === null && (
        <a href={href('/categories')} className="btn btn-outline mt-6 border-base-300">
          All Categories
        </a>
      )}
    </header>
  )
}

/** Whether each typed word is the beginning of a word of the name. */
function isNamed({ name }: Category, keyword: string): boolean {
  const typed = wordsIn(keyword)
  const words = wordsIn(name)
  const isWord = (begun: string) => begun.length > 2 && words.some((word) => word.startsWith(begun))
  return typed.length > 0 && typed.every(isWord)
}

/** Links to categories whose names match the keyword; their products need not contain it. */
function NamedCategories({ keyword }: { keyword: string }) {
  const all =
    useRouteLoaderData<{ categories: Category[] }>('layouts/storefront-layout')?.categories ?? []
  const named = all.filter((category) => isNamed(category, keyword))
  if (named.length === 0) return null
  return (
    <ul aria-label="Categories" className="mt-3 flex flex-wrap gap-2">
      {named.map((category) => (
        <li key={category._id}>
          <a
            href={categoryPath(category)}
            className="btn btn-sm btn-outline wrap-anywhere h-auto min-h-8 shrink border-base-300"
          >
            {category.name}
          </a>
        </li>
      ))}
    </ul>
  )
}
