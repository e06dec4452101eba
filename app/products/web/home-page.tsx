import { Link, useRouteLoaderData, useSearchParams } from 'react-router'
import type { Category } from '#app/categories/contract.ts'
import { settingsCalls } from '#app/settings/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import {
  revalidateUnlessReturning,
  stayOnFailure,
} from '#app/shared/web/failure/stay-on-failure.ts'
import { structuredDataOf } from '#app/shared/web/head/structured-data.ts'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import { pageOf, pagePath, requireFound, withPage } from '#app/shared/web/navigation/page-number.ts'
import { PageHead } from '#app/shared/web/page-head.tsx'
import { shopContext } from '#app/shared/web/shop-context.ts'
import { useShop } from '#app/shared/web/use-shop.ts'
import type { Route } from './+types/home-page.ts'
import { Carousel } from './home/carousel.tsx'
import { choiceOf, loadChosen, paramsOf } from './home/choice.ts'
import { describeShop } from './home/describe-shop.ts'
import { FilterPanel } from './home/filter-panel.tsx'
import { ProductList } from './list/product-list.tsx'
import { useFilters } from './list/use-filters.ts'
import { useResultCount } from './list/use-result-count.ts'

/** The known parameters in canonical form. */
export const handle = {
  canonicalParams: (params: URLSearchParams) =>
    withPage(paramsOf(choiceOf(params)), pageOf(params)),
}

const load = async ({ request, context }: Pick<LoadArgs, 'request' | 'context'>) => {
  const { searchParams } = new URL(request.url)
  const page = pageOf(searchParams)
  const call = callOf({ context })
  const [{ products, total }, slides] = await Promise.all([
    loadChosen(call, choiceOf(searchParams), page),
    call(settingsCalls.getSlides),
  ])
  requireFound(page, products)
  return { products, total, page, slides }
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

/** Filters, the carousel and all products (spec §2). */
export default function HomePage({ loaderData }: Route.ComponentProps) {
  const categories =
    useRouteLoaderData<{ categories: Category[] }>('layouts/storefront-layout')?.categories ?? []
  const { name, tagline } = useShop()
  const [params] = useSearchParams()
  const chosen = choiceOf(params)
  useResultCount(loaderData.total)
  const { shown, choose, waiting } = useFilters(chosen, (choice) => ({
    search: `${paramsOf(choice)}`,
  }))
  const { page } = loaderData
  const isFiltered = paramsOf(chosen).size > 0
  return (
    <div className="mx-auto grid max-w-7xl grid-cols-[minmax(0,1fr)] gap-6 px-4 pt-8 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-8 lg:px-8">
      <PageHead
        {...(page > 1 && { title: `All Products, page ${page}` })}
        description={`All products of ${[name, tagline].filter(Boolean).join(', ')}.`}
        path={pagePath('/', isFiltered ? 1 : page)}
        hidden={isFiltered}
      />
      <div className="space-y-6 lg:col-start-2">
        <FirstRunNotice />
        {loaderData.slides.length > 0 && <Carousel slides={loaderData.slides} />}
      </div>
      <aside className="lg:row-span-2 lg:row-start-1">
        <FilterPanel categories={categories} choice={shown} onChoose={choose} />
      </aside>
      <section aria-busy={waiting} className="lg:col-start-2">
        <div className="mb-6 flex items-center gap-4">
          <h1 className="text-3xl sm:text-4xl">All Products</h1>
          {waiting && <span aria-hidden="true" className="loading loading-spinner text-primary" />}
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

/** Leads to the first run while the shop has no admin. */
function FirstRunNotice() {
  const { hasAdmin } = useShop()
  if (hasAdmin) return null
  return (
    <aside
      aria-label="New shop"
      className="surface flex flex-wrap items-center justify-between gap-4 p-6"
    >
      <p className="text-lg">This shop is new and has no admin yet.</p>
      <Link to="/first-run" className="btn btn-primary">
        Set up the shop
      </Link>
    </aside>
  )
}
