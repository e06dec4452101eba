import { replace } from 'react-router'
import { categoryPath } from '#app/categories/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import type { Call } from '#app/shared/web/call.ts'
import {
  revalidateUnlessReturning,
  stayOnFailure,
} from '#app/shared/web/failure/stay-on-failure.ts'
import { breadcrumbList } from '#app/shared/web/head/breadcrumb-list.ts'
import { structuredDataOf } from '#app/shared/web/head/structured-data.ts'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import {
  pageOf,
  pagePath,
  pageTitle,
  requireFound,
  withPage,
} from '#app/shared/web/navigation/page-number.ts'
import { PageHead } from '#app/shared/web/page-head.tsx'
import { shopContext } from '#app/shared/web/shop-context.ts'
import { LIST_ORDERS, productCalls } from '../contract.ts'
import type { Route } from './+types/category-page.ts'
import { ProductList } from './list/product-list.tsx'
import { useFilters } from './list/use-filters.ts'
import { useResultCount } from './list/use-result-count.ts'
import { FacetPanel } from './search/facet-panel.tsx'
import {
  type ChoicePlace,
  filtersIn,
  type SearchChoice,
  searchChoiceOf,
  searchParamsOf,
  searchPath,
} from './search/search-choice.ts'
import { SortLinks } from './search/sort-links.tsx'

const placeOf = (category: { slug: string }) =>
  ({ path: categoryPath(category), usual: 'newest' }) as const

function list(call: Call, slug: string, { price, inStock, sort }: SearchChoice, page: number) {
  const order = LIST_ORDERS.find((one) => one === sort && one !== 'newest')
  return call(productCalls.productsOfCategory, {
    params: { slug },
    query: {
      page,
      ...(price !== null && { price }),
      ...(inStock && { stock: 'in' as const }),
      ...(order && { sort: order }),
    },
  })
}

/** The choice in the URL of a category page; it has no category filter. */
const choiceOf = (params: URLSearchParams, place: ChoicePlace): SearchChoice => ({
  ...searchChoiceOf(params, place),
  keyword: '',
  categories: [],
})

export const handle = {
  canonicalParams(params: URLSearchParams) {
    const place = placeOf({ slug: '' })
    return withPage(searchParamsOf(choiceOf(params, place), place), pageOf(params))
  },
}

const load = async ({ params: { slug }, request, context }: LoadArgs<{ slug: string }>) => {
  const { search, searchParams } = new URL(request.url)
  const choice = choiceOf(searchParams, placeOf({ slug }))
  const page = pageOf(searchParams)
  const { category, products, total, facets } = await list(callOf({ context }), slug, choice, page)
  // a renamed category has a new URL
  if (category.slug !== slug) throw replace(categoryPath(category) + search, 301)
  requireFound(page, products)
  return { category, products, total, facets, choice, page }
}

export const loader = async (args: Route.LoaderArgs) => {
  const loaded = await load(args)
  const { category } = loaded
  const { url } = args.context.get(shopContext)
  const crumbs = [
    { name: 'All Categories', path: '/categories' },
    { name: category.name, path: categoryPath(category) },
  ]
  return { ...loaded, structuredData: breadcrumbList(url, crumbs) }
}
export const clientLoader = stayOnFailure(load)
export const shouldRevalidate = revalidateUnlessReturning

export const meta: Route.MetaFunction = ({ loaderData }) => structuredDataOf(loaderData)

/** The products of a category with a count (spec §2). The URL holds filters and order. */
export default function CategoryPage({ loaderData }: Route.ComponentProps) {
  const { category, total, facets, choice, page } = loaderData
  const place = placeOf(category)
  // lists of filters and orders are not indexed: they have no end, and say nothing new
  const isChosen = searchParamsOf(choice, place).size > 0
  useResultCount(total)
  const { shown, choose, waiting } = useFilters(choice, (next) => searchPath(next, place))
  return (
    <section className="mx-auto max-w-7xl px-4 pt-12 lg:px-8">
      <PageHead
        title={pageTitle(category.name, page)}
        description={`${category.name}: ${total} products to choose from.`}
        path={pagePath(categoryPath(category), isChosen ? 1 : page)}
        hidden={isChosen}
      />
      <header className="mb-8">
        <h1 className="wrap-anywhere text-4xl sm:text-5xl">{category.name}</h1>
        <p className="mt-2 text-base-content/75">
          {total} {total === 1 ? 'product' : 'products'} found
        </p>
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-8">
        <aside>
          {(total > 0 || waiting || filtersIn(choice) > 0) && (
            <FacetPanel
              facets={{ ...facets, categories: [], areCut: false }}
              choice={shown}
              place={place}
              onChoose={choose}
            />
          )}
        </aside>
        <div aria-busy={waiting}>
          {total > 1 && <SortLinks choice={choice} place={place} />}
          <ProductList
            first={loaderData}
            load={(page) => list(call, category.slug, choice, page)}
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
