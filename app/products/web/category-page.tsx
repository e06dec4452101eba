import { replace } from 'react-router'
import { categoryPath } from '#app/categories/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import type { Call } from '#app/shared/web/call.ts'
import { breadcrumbList, PageHead, structuredDataOf } from '#app/shared/web/head.tsx'
import {
  callOf,
  type LoadArgs,
  revalidateUnlessReturning,
  stayOnFailure,
} from '#app/shared/web/load.ts'
import { pagePath, pageTitle, requireFound } from '#app/shared/web/query.ts'
import { shopContext } from '#app/shared/web/shop.ts'
import { productCalls } from '../contract.ts'
import { LIST_ORDERS } from '../model.ts'
import type { Route } from './+types/category-page.ts'
import {
  type Choice,
  categoryPlace,
  filterOf,
  handleOf,
  paramsOf,
  requestedIn,
} from './list/choice.ts'
import { FilteredProducts } from './list/filtered-products.tsx'

function list(call: Call, slug: string, choice: Choice, page: number) {
  const sort = LIST_ORDERS.find((order) => order === choice.order && order !== 'newest')
  return call(productCalls.browseCategory, {
    params: { slug },
    query: { ...filterOf(choice), page, ...(sort && { sort }) },
  })
}

export const handle = handleOf(categoryPlace({ slug: '' }))

const load = async ({ params: { slug }, request, context }: LoadArgs<{ slug: string }>) => {
  const { choice, page } = requestedIn(request, categoryPlace({ slug }))
  const { category, products, total, facets } = await list(callOf({ context }), slug, choice, page)
  // a renamed category has a new URL
  if (category.slug !== slug)
    throw replace(categoryPath(category) + new URL(request.url).search, 301)
  requireFound(page, products)
  return { category, products, total, facets, choice, page }
}

export const loader = async (args: Route.LoaderArgs) => {
  const loaded = await load(args)
  const { category } = loaded
  const { url } = args.context.get(shopContext)
  const crumbs = [
    { name: 'All Categories', path: href('/categories') },
    { name: category.name, path: categoryPath(category) },
  ]
  return { ...loaded, structuredData: breadcrumbList(url, crumbs) }
}
export const clientLoader = stayOnFailure(load)
export const shouldRevalidate = revalidateUnlessReturning

export const meta: Route.MetaFunction = ({ loaderData }) => structuredDataOf(loaderData)

/** The products of a category with a count (spec §2). The URL contains filters and order. */
export default function CategoryPage({ loaderData }: Route.ComponentProps) {
  const { category, total, facets, choice, page } = loaderData
  const place = categoryPlace(category)
  // lists of filters and orders are not indexed: they have no end, and say nothing new
  const isChosen = paramsOf(choice, place).size > 0
  return (
    <section className="mx-auto max-w-7xl px-4 pt-12 lg:px-8">
      <PageHead
        title={pageTitle(category.name, page)}
        description={`${category.name}: ${total} products to choose from.`}
        path={pagePath(categoryPath(category), isChosen ? 1 : page)}
        hidden={isChosen}
      />
      <header className="mb-8">
        <h1 dir="auto" className="wrap-anywhere hyphenated text-4xl sm:text-5xl">
          {category.name}
        </h1>
        <p className="mt-2 text-base-content/75">
          {total} {total === 1 ? 'product' : 'products'} found
        </p>
      </header>
      <FilteredProducts
        place={place}
        choice={choice}
        first={loaderData}
        categories={[]}
        facets={facets}
        load={(page) => list(call, category.slug, choice, page)}
      />
    </section>
  )
}
