import { call } from '#app/shared/web/browser-call.ts'
import type { Call } from '#app/shared/web/call.ts'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/navigation/page-number.ts'
import { PageHead } from '#app/shared/web/page-head.tsx'
import { searchCalls } from '../search-contract.ts'
import type { Route } from './+types/search-page.ts'
import { ProductList } from './list/product-list.tsx'
import type { Listing } from './list/use-more-products.ts'

/** An address cannot carry these as a part of its path, and no product is called so. */
const UNSENDABLE = ['', '.', '..']

async function find(call: Call, keyword: string, page: number): Promise<Listing> {
  if (UNSENDABLE.includes(keyword.trim())) return { products: [], total: 0 }
  const { items, total } = await call.counted(searchCalls.searchProducts, {
    params: { keyword },
    query: { page },
  })
  return { products: items, total }
}

export const handle = { knows: { q: '', page: '1' } }

const load = async ({ request, context }: Pick<LoadArgs, 'request' | 'context'>) => {
  const { searchParams } = new URL(request.url)
  const keyword = searchParams.get('q') ?? ''
  const page = pageOf(searchParams)
  return { keyword, page, ...(await find(callOf({ context }), keyword, page)) }
}

export const loader = (args: Route.LoaderArgs) => load(args)
export const clientLoader = (args: Route.ClientLoaderArgs) => load(args)

/** What was found (spec §2). Keyword and results live in the address, which can be shared. */
export default function SearchPage({ loaderData }: Route.ComponentProps) {
  const { keyword, total } = loaderData
  return (
    <section className="mx-auto max-w-7xl px-4 pt-12 lg:px-8">
      <PageHead title={keyword ? `Search: ${keyword}` : 'Search'} hidden />
      <header className="mb-8">
        <h1 className="text-4xl sm:text-5xl">Search Results</h1>
        <p className="mt-2 text-base-content/75" role="status">
          {total === 0 ? 'No Products Found' : `Found ${total}`}
        </p>
      </header>
      <ProductList
        first={loaderData}
        load={(page) => find(call, keyword, page)}
        heading="h2"
        cutAt={30}
        details="Details"
        wide
      />
    </section>
  )
}
