import { Link } from 'react-router'
import { GRID_PAGE_SIZE, type Product, productCalls } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { NotLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { ListSearch, ListTitle, Pages } from '#app/shared/web/list.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import { MESSAGES, pluralize } from '#app/shared/web/texts.ts'
import type { Route } from './+types/products-page.ts'
import { EditableProduct } from './editable-product.tsx'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const page = pageOf(searchParams)
  const q = searchParams.get('q') ?? ''
  const found = await loadOrToast(
    context.get(callContext)(productCalls.getProducts, { query: { page, ...(q && { q }) } }),
    MESSAGES.productsFailed,
  )
  return { found, page, q }
}

/** All products, newest first, with links to their edit pages (spec §2). */
export default function AdminProductsPage({
  loaderData: { found, page, q },
}: Route.ComponentProps) {
  return (
    <section className="space-y-6">
      <PageHead title="All Products" hidden />
      <header className="flex flex-wrap items-end justify-between gap-4">
        <ListTitle title="All Products" counted={found && counted(found.total, q)} />
        <ListSearch label="Search by name" />
      </header>
      {found ? (
        <>
          {found.products.length === 0 ? (
            <Nothing isShop={q === '' && page === 1} />
          ) : (
            <Grid products={found.products} />
          )}
          <Pages page={page} total={found.total} pageSize={GRID_PAGE_SIZE} />
        </>
      ) : (
        <NotLoaded />
      )}
    </section>
  )
}

function counted(total: number, q: string) {
  const products = pluralize(total, 'product', q !== '')
  return q === '' ? products : `${products} with “${q}” in the name`
}

function Grid({ products }: { products: Product[] }) {
  return (
    <ul aria-label="Products" className="grid grid-cols-2 gap-3 sm:gap-5 lg:grid-cols-3">
      {products.map((product) => (
        <li key={product._id}>
          <EditableProduct product={product} />
        </li>
      ))}
    </ul>
  )
}

/** The message of an empty page, or of a shop without products. */
function Nothing({ isShop }: { isShop: boolean }) {
  return (
    <div className="surface space-y-4 px-6 py-16 text-center">
      <p className="text-lg">{isShop ? 'There are no products yet.' : 'No Products Found'}</p>
      {isShop && (
        <Link to={href('/dashboard/admin/create-product')} className="btn btn-primary">
          Create the first product
        </Link>
      )}
    </div>
  )
}
