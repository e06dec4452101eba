import { Link, useLocation } from 'react-router'
import { ListPage } from '#app/back-office/list-page.tsx'
import { editPath, GRID_PAGE_SIZE, type Product, productCalls } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { ListSearch } from '#app/shared/web/list.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import { MESSAGES, truncate } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { ProductPhoto } from '../product-photo.tsx'
import type { Route } from './+types/products-page.ts'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const q = searchParams.get('q') ?? ''
  const query = { page: pageOf(searchParams), ...(q && { q }) }
  const found = await loadOrToast(
    context.get(callContext)(productCalls.getProducts, { query }),
    MESSAGES.productsFailed,
  )
  return { found: found && { items: found.products, total: found.total }, q }
}

/** All products, newest first, with links to their edit pages (spec §2). */
export default function AdminProductsPage({ loaderData: { found, q } }: Route.ComponentProps) {
  return (
    <ListPage
      title="All Products"
      label="Products"
      what="product"
      isSearch={q !== ''}
      condition={q && `with “${q}” in the name`}
      found={found}
      pageSize={GRID_PAGE_SIZE}
      className="grid grid-cols-2 gap-3 sm:gap-5 lg:grid-cols-3"
      entry={(product) => <EditableProduct product={product} />}
      empty={q === '' ? <Nothing /> : 'No Products Found'}
      pastEnd="No Products Found"
      tools={<ListSearch label="Search by name" />}
    />
  )
}

/** A product in the admin grid, with a link to its edit page (spec §2). */
function EditableProduct({ product }: { product: Product }) {
  const money = useMoney()
  const { search } = useLocation()
  return (
    <Link
      to={editPath(product)}
      // the form returns to the same page and search
      state={{ list: search }}
      className="surface flex h-full flex-col overflow-hidden transition-shadow duration-200 hover:shadow-lg hover:shadow-neutral/10"
    >
      <ProductPhoto
        product={product}
        height={200}
        widths={[320, 640]}
        sizes="(width >= 64rem) 19rem, 50vw"
      />
      <div className="wrap-anywhere flex flex-1 flex-col gap-1.5 p-4">
        <h2 className="line-clamp-4 text-lg leading-snug">{product.name}</h2>
        <p className="text-pretty text-base-content/75 text-sm">
          {truncate(product.description, 80)}
        </p>
        <p className="mt-auto flex flex-wrap justify-between gap-x-4 pt-2 text-sm">
          <span className="font-semibold text-secondary">{money(product.price)}</span>
          <span className={product.quantity === 0 ? 'font-semibold text-error' : undefined}>
            {product.quantity === 0
              ? 'Out of stock'
              : `${product.quantity.toLocaleString('en-US')} in stock`}
          </span>
        </p>
      </div>
    </Link>
  )
}

/** The message of a shop without products. */
const Nothing = () => (
  <div className="space-y-4">
    <p>There are no products yet.</p>
    <Link to={href('/dashboard/admin/create-product')} className="btn btn-primary">
      Create the first product
    </Link>
  </div>
)
