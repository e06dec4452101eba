import { useRouteLoaderData } from 'react-router'
import type { Category } from '#app/categories/contract.ts'
import { settingsCalls } from '#app/settings/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import type { Call } from '#app/shared/web/call.ts'
import { PageHead, structuredDataOf } from '#app/shared/web/head.tsx'
import {
  callOf,
  type LoadArgs,
  revalidateUnlessReturning,
  stayOnFailure,
} from '#app/shared/web/load.ts'
import { pagePath, requireFound } from '#app/shared/web/query.ts'
import { shopContext, useShop } from '#app/shared/web/shop.ts'
import { productCalls } from '../contract.ts'
import type { Route } from './+types/home-page.ts'
import { describeShop } from './home/describe-shop.ts'
import {
  type Choice,
  filterOf,
  filtersIn,
  HOME,
  handleOf,
  requestedIn,
  useChoice,
} from './list/choice.ts'
import { FilterPanel } from './list/filter-panel.tsx'
import { ProductList } from './list/product-list.tsx'

export const handle = handleOf(HOME)

const list = (call: Call, choice: Choice, page: number) =>
  call(productCalls.browseProducts, { query: { ...filterOf(choice), page } })

const load = async ({ request, context }: Pick<LoadArgs, 'request' | 'context'>) => {
  const { choice, page } = requestedIn(request, HOME)
  const { products, total } = await list(callOf({ context }), choice, page)
  requireFound(page, products)
  return { products, total, page, choice }
}

export async function loader(args: Route.LoaderArgs) {
  const { context } = args
  const [page, settings] = await Promise.all([
    load(args),
    callOf({ context })(settingsCalls.getSettings),
  ])
  const structuredData = describeShop({ ...context.get(shopContext), ...settings })
  return { ...page, structuredData }
}
export const clientLoader = stayOnFailure(load)
export const shouldRevalidate = revalidateUnlessReturning

export const meta: Route.MetaFunction = ({ loaderData }) => structuredDataOf(loaderData)

/** Filters and all products (spec §2). */
export default function HomePage({ loaderData }: Route.ComponentProps) {
  const categories =
    useRouteLoaderData<{ categories: Category[] }>('layouts/storefront-layout')?.categories ?? []
  const { name, tagline } = useShop()
  const { choice, total, page } = loaderData
  const { shown, choose, isWaiting } = useChoice(choice, HOME, total)
  const isFiltered = filtersIn(choice) > 0
  return (
    <>
      <PageHead
        {...(page > 1 && { title: `All Products, page ${page}` })}
        description={`All products of ${[name, tagline].filter(Boolean).join(', ')}.`}
        path={pagePath('/', isFiltered ? 1 : page)}
        hidden={isFiltered}
      />
      <aside className="lg:row-span-2 lg:row-start-1">
        <FilterPanel place={HOME} choice={shown} onChoose={choose} categories={categories}>
          {/* spec §2: reloads the page at the URL without filters */}
          <button
            type="button"
            onClick={() => window.location.assign('/')}
            className="btn btn-outline btn-sm needs-script absolute end-0 top-0 border-base-300 lg:static lg:mt-4 lg:w-full"
          >
            Reset Filters
          </button>
        </FilterPanel>
      </aside>
      <section aria-busy={isWaiting} className="lg:col-start-2">
        <div className="mb-6 flex items-center gap-4">
          <h1 className="text-3xl sm:text-4xl">All Products</h1>
          {isWaiting && (
            <span aria-hidden="true" className="loading loading-spinner text-primary" />
          )}
        </div>
        {loaderData.products.length === 0 && <p className="py-12 text-lg">No Products Found</p>}
        <ProductList
          first={loaderData}
          load={(page) => list(call, choice, page)}
          heading="h2"
          leading="lazy"
          cutAt={40}
          details="Details"
        />
      </section>
    </>
  )
}
