import { Link, replace } from 'react-router'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { BackOfficePage } from '#app/back-office/page.tsx'
import { editPath, productCalls, productPath } from '#app/products/contract.ts'
import { ErrorPage, useLastLoaded } from '#app/shared/web/failure.tsx'
import { callContext, loadOrFailure } from '#app/shared/web/load.ts'
import type { Route } from './+types/edit-product-page.ts'
import { loadChoices, ProductEditor } from './product-editor.tsx'

export const clientLoader = async ({ context, params: { slug } }: Route.ClientLoaderArgs) => {
  const call = context.get(callContext)
  const [{ loaded, failure }, choices] = await Promise.all([
    loadOrFailure(call(productCalls.getProduct, { params: { slug } })),
    loadChoices(call),
  ])
  const product = loaded?.product ?? null
  // a renamed product has a new URL
  if (product && product.slug !== slug) throw replace(editPath(product))
  return { product, failure, choices }
}

/** Edits or deletes a product (spec §2). */
export default function EditProductPage({ loaderData, params: { slug } }: Route.ComponentProps) {
  const { failure, choices } = loaderData
  const product = useLastLoaded(loaderData.product, slug)
  if (!product) return <ErrorPage error={failure} />
  return (
    <BackOfficePage
      title="Update Product"
      tab={`Update ${product.name}`}
      tools={
        <p className="flex gap-4 text-sm">
          <HistoryLink object={product._id} />
          <Link to={productPath(product)} className="link">
            View in the shop
          </Link>
        </p>
      }
    >
      <ProductEditor key={product._id} product={product} choices={choices} />
    </BackOfficePage>
  )
}
