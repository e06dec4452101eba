import { Link, replace } from 'react-router'
import { categoryCalls } from '#app/categories/contract.ts'
import { productCalls } from '#app/products/contract.ts'
import { loadOrTell } from '#app/shared/web/admin/load-or-tell.ts'
import { callContext, callOf } from '#app/shared/web/load.ts'
import { MESSAGES } from '#app/shared/web/messages.ts'
import { PageHead } from '#app/shared/web/page-head.tsx'
import type { Route } from './+types/edit-product-page.ts'
import { EditForm } from './edit-form.tsx'

export const clientLoader = async ({ context, params: { slug } }: Route.ClientLoaderArgs) => {
  const [{ product }, categories] = await Promise.all([
    callOf({ context })(productCalls.getProduct, { params: { slug } }),
    loadOrTell(context.get(callContext)(categoryCalls.getCategories), MESSAGES.categoriesFailed),
  ])
  // a renamed product has a new address
  if (product.slug !== slug) {
    throw replace(`/dashboard/admin/product/${encodeURIComponent(product.slug)}`)
  }
  return { product, categories: categories?.category ?? [] }
}

/** Changes or deletes one product (spec §2). */
export default function EditProductPage({
  loaderData: { product, categories },
}: Route.ComponentProps) {
  return (
    <section className="space-y-6">
      <PageHead title={`Update ${product.name}`} hidden />
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h1 className="text-3xl">Update Product</h1>
        <Link to={`/product/${encodeURIComponent(product.slug)}`} className="link text-sm">
          See it in the shop
        </Link>
      </header>
      <EditForm key={product._id} product={product} categories={categories} />
    </section>
  )
}
