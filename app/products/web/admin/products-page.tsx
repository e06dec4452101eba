import { Link } from 'react-router'
import { loadList } from '#app/back-office/kit/list-query.ts'
import { TablePage } from '#app/back-office/kit/table-page.tsx'
import { categoryCalls } from '#app/categories/contract.ts'
import { catalogueCalls } from '#app/products/catalogue-contract.ts'
import { editPath } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { useLastLoaded } from '#app/shared/web/failure.tsx'
import { loadOrToast } from '#app/shared/web/load.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import type { Route } from './+types/products-page.ts'
import { bulkActions } from './bulk-dialogs.tsx'
import { COLUMNS, STATUS_NAMES, STOCK_NAMES } from './product-columns.tsx'

const CATEGORY = { name: 'category', label: 'Category' }
const STATUS = { name: 'status', label: 'Status', options: STATUS_NAMES }
const STOCK = { name: 'stock', kind: 'tabs' as const, options: { '': 'All', ...STOCK_NAMES } }

export async function clientLoader(args: Route.ClientLoaderArgs) {
  const filters = [STOCK, STATUS, { ...CATEGORY, kind: 'id' as const }]
  const [list, categories] = await Promise.all([
    loadList(args, catalogueCalls.listCatalogue, filters, MESSAGES.productsFailed),
    loadOrToast(call(categoryCalls.getCategories), MESSAGES.categoriesFailed),
  ])
  return { ...list, categories }
}

/** All products (spec §2), with their stock and prices, which are edited in place. */
export default function AdminProductsPage({ loaderData }: Route.ComponentProps) {
  const categories = useLastLoaded(loaderData.categories)?.category ?? []
  const options = categories.map(({ _id: value, name: label }) => ({ value, label }))
  // without its options a select would drop the category
  const category = options.length > 0 ? { options } : { kind: 'id' as const }
  return (
    <TablePage
      {...loaderData}
      title="All Products"
      what="product"
      columns={COLUMNS}
      nameOf={({ name }) => name}
      open={editPath}
      filters={[STOCK, STATUS, { ...CATEGORY, ...category }]}
      searchLabel="Search by name"
      bulk={bulkActions(options)}
      empty="No Products Found"
      tools={
        <Link to={href('/dashboard/admin/create-product')} className="btn btn-primary">
          Create product
        </Link>
      }
    />
  )
}
