import { data, Link, replace } from 'react-router'
import { categoryCalls } from '#app/categories/contract.ts'
import { editPath, type Product, productCalls, productPath } from '#app/products/contract.ts'
import { type Call, CallFailure } from '#app/shared/web/call.ts'
import { loadOrLog, loadOrTell } from '#app/shared/web/failure/load-or-tell.ts'
import { NotLoaded } from '#app/shared/web/failure/not-loaded.tsx'
import { useLastLoaded } from '#app/shared/web/failure/use-last-loaded.ts'
import { callContext } from '#app/shared/web/load.ts'
import { MESSAGES } from '#app/shared/web/messages.ts'
import { PageHead } from '#app/shared/web/page-head.tsx'
import type { Route } from './+types/edit-product-page.ts'
import { EditForm } from './edit-form.tsx'

/** One that is not there is a page that is not there. */
async function find(call: Call, slug: string): Promise<Product> {
  const { product } = await call(productCalls.getProduct, { params: { slug } }).catch((error) => {
    throw error instanceof CallFailure && error.status === 404 ? data(null, 404) : error
  })
  // a renamed product has a new address
  if (product.slug !== slug) throw replace(editPath(product))
  return product
}

export const clientLoader = async ({ context, params: { slug } }: Route.ClientLoaderArgs) => {
  const call = context.get(callContext)
  const [product, categories] = await Promise.all([
    loadOrLog(find(call, slug)),
    loadOrTell(call(categoryCalls.getCategories), MESSAGES.categoriesFailed),
  ])
  return { product, categories }
}

/** Changes or deletes one product (spec §2). */
export default function EditProductPage({ loaderData, params: { slug } }: Route.ComponentProps) {
  const last = useLastLoaded(loaderData.product)
  const product = last?.slug === slug ? last : null
  const categories = useLastLoaded(loaderData.categories)
  return (
    <section className="space-y-6">
      <PageHead title={product ? `Update ${product.name}` : 'Update Product'} hidden />
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
        <h1 className="text-3xl">Update Product</h1>
        {product && (
          <Link to={productPath(product)} className="link text-sm">
            See it in the shop
          </Link>
        )}
      </header>
      {product ? (
        <EditForm key={product._id} product={product} categories={categories?.category ?? []} />
      ) : (
        <NotLoaded />
      )}
    </section>
  )
}
