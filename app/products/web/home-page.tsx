import { useRouteLoaderData, useSearchParams } from 'react-router'
import type { Category } from '#app/categories/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import {
  revalidateUnlessReturning,
  stayOnFailure,
} from '#app/shared/web/failure/stay-on-failure.ts'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import { pageOf, requireFound, withPage } from '#app/shared/web/navigation/page-number.ts'
import { PageHead } from '#app/shared/web/page-head.tsx'
import type { Route } from './+types/home-page.ts'
import { Carousel } from './home/carousel.tsx'
import { choiceOf, loadChosen, paramsOf } from './home/choice.ts'
import { FilterPanel } from './home/filter-panel.tsx'
import { ProductList } from './list/product-list.tsx'
import { useFilters } from './list/use-filters.ts'

/** The known parameters in canonical form. */
export const handle = {
  canonicalParams: (params: URLSearchParams) =>
    withPage(paramsOf(choiceOf(params)), pageOf(params)),
}

const load = async ({ request, context }: Pick<LoadArgs, 'request' | 'context'>) => {
  const { searchParams } = new URL(request.url)
  const page = pageOf(searchParams)
  const { products, total } = await loadChosen(callOf({ context }), choiceOf(searchParams), page)
  requireFound(page, products)
  return { products, total, page }
}

export const loader = (args: Route.LoaderArgs) => load(args)
export const clientLoader = stayOnFailure(load)
export const shouldRevalidate = revalidateUnlessReturning

/** Filters, the carousel and all products (spec §2). */
export default function HomePage({ loaderData }: Route.ComponentProps) {
  const categories = useRouteLoaderData<Category[]>('layouts/storefront-layout') ?? []
  const [params] = useSearchParams()
  const chosen = choiceOf(params)
  const { shown, choose, waiting } = useFilters(chosen, (choice) => ({
    search: `${paramsOf(choice)}`,
  }))
  return (
    <div className="mx-auto grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-6 px-4 pt-8 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-8 lg:px-8">
      <PageHead
        description="Good things, fairly priced, from every corner of the market."
        path="/"
      />
      <div className="lg:col-start-2">
        <Carousel />
      </div>
      <aside className="lg:row-span-2 lg:row-start-1">
        <FilterPanel categories={categories} choice={shown} onChoose={choose} />
      </aside>
      <section aria-busy={waiting} className="lg:col-start-2">
        <div className="mb-6 flex items-center gap-4">
          <h1 className="text-3xl sm:text-4xl">All Products</h1>
          {waiting && (
            <span
              role="status"
              aria-label="Loading"
              className="loading loading-spinner text-primary"
            />
          )}
        </div>
        {loaderData.products.length === 0 && <p className="py-12 text-lg">No Products Found</p>}
        <ProductList
          first={loaderData}
          load={(page) => loadChosen(call, chosen, page)}
          heading="h2"
          leading="in sight"
          cutAt={40}
          details="Details"
        />
      </section>
    </div>
  )
}
