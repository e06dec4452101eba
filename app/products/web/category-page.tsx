import { replace } from 'react-router'
import { categoryPath } from '#app/categories/contract.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/navigation/page-number.ts'
import { PageHead } from '#app/shared/web/page-head.tsx'
import { productCalls } from '../contract.ts'
import type { Route } from './+types/category-page.ts'
import { ProductList } from './list/product-list.tsx'

export const handle = { knows: { page: '1' } }

const load = async ({ params: { slug }, request, context }: LoadArgs<{ slug: string }>) => {
  const { search, searchParams } = new URL(request.url)
  const page = pageOf(searchParams)
  const answer = await callOf({ context })(productCalls.productsOfCategory, {
    params: { slug },
    query: { page },
  })
  const { category, products, total } = answer
  // a renamed category has a new address
  if (category.slug !== slug) throw replace(categoryPath(category) + search, 301)
  return { category, products, total, page }
}

export const loader = (args: Route.LoaderArgs) => load(args)
export const clientLoader = (args: Route.ClientLoaderArgs) => load(args)

/** The products of a category, with a count (spec §2). */
export default function CategoryPage({ loaderData }: Route.ComponentProps) {
  const { category, total } = loaderData
  const { slug } = category
  return (
    <section className="mx-auto max-w-7xl px-4 pt-12 lg:px-8">
      <PageHead
        title={category.name}
        description={`${category.name}: ${total} products to choose from.`}
        path={categoryPath(category)}
      />
      <header className="mb-8">
        <h1 className="text-4xl sm:text-5xl">{category.name}</h1>
        <p className="mt-2 text-base-content/75">
          {total} {total === 1 ? 'product' : 'products'} found
        </p>
      </header>
      <ProductList
        first={loaderData}
        load={(page) =>
          call(productCalls.productsOfCategory, { params: { slug }, query: { page } })
        }
        heading="h2"
        leading="first"
        cutAt={30}
        details="Details"
        wide
      />
    </section>
  )
}
