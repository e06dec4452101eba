import { Link, replace } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { categoryCalls } from '#app/categories/contract.ts'
import { editPath, productCalls, productPath } from '#app/products/contract.ts'
import { ErrorPage, useLastLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { callContext, loadOrFailure, loadOrToast } from '#app/shared/web/load.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'
import { TAX_CLASSES_FAILED, taxAdminCalls } from '#app/taxes/admin-contract.ts'
import type { Route } from './+types/edit-product-page.ts'
import { EditForm } from './edit-form.tsx'

export const clientLoader = async ({ context, params: { slug } }: Route.ClientLoaderArgs) => {
  const call = context.get(callContext)
  const [{ loaded, failure }, categories, taxClasses] = await Promise.all([
    loadOrFailure(call(productCalls.getProduct, { params: { slug } })),
    loadOrToast(call(categoryCalls.getCategories), MESSAGES.categoriesFailed),
    loadOrToast(call(taxAdminCalls.getTaxClasses), TAX_CLASSES_FAILED),
  ])
  const product = loaded?.product ?? null
  // a renamed product has a new URL
  if (product && product.slug !== slug) throw replace(editPath(product))
  return { product, failure, categories, taxClasses }
}

/** Edits or deletes a product (spec §2). */
export default function EditProductPage({ loaderData, params: { slug } }: Route.ComponentProps) {
  const last = useLastLoaded(loaderData.product)
  const product = last?.slug === slug ? last : null
  const categories = useLastLoaded(loaderData.categories)
  const taxClasses = useLastLoaded(loaderData.taxClasses)
  if (!product) {
    return (
      <ErrorPage
        status={loaderData.failure?.status || 503}
        serverMessage={loaderData.failure?.serverMessage}
      />
    )
  }
  return (
    <section className="space-y-6">
      <PageHead title={`Update ${product.name}`} hidden />
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h1 className="text-3xl">Update Product</h1>
        <p className="flex gap-4 text-sm">
          <HistoryLink object={product._id} />
          <Link to={productPath(product)} className="link">
            View in the shop
          </Link>
        </p>
      </header>
      <EditForm
        key={product._id}
        product={product}
        categories={categories?.category ?? []}
        taxClasses={taxClasses}
      />
    </section>
  )
}
