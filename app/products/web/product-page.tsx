import { replace } from 'react-router'
import { categoryPath } from '#app/categories/contract.ts'
import { seoCalls } from '#app/seo/contract.ts'
import { productPicturePath } from '#app/seo/picture-contract.ts'
import { MarkdownText } from '#app/settings/web/markdown-text.tsx'
import { breadcrumbList, PageHead, structuredDataOf } from '#app/shared/web/head.tsx'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import { shopContext, useShop } from '#app/shared/web/shop.ts'
import { truncate } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { productCalls, productPath } from '../contract.ts'
import type { Route } from './+types/product-page.ts'
import { AddToCart } from './add-to-cart.tsx'
import { LargePhoto } from './large-photo.tsx'
import { ProductGrid } from './list/product-grid.tsx'
import { ProductPhoto } from './product-photo.tsx'

const load = async ({ params: { slug }, context }: LoadArgs<{ slug: string }>) => {
  const call = callOf({ context })
  const { product } = await call(productCalls.getProduct, { params: { slug } })
  // a renamed product has a new URL
  if (product.slug !== slug) throw replace(productPath(product), 301)
  const { _id: productId, category } = product
  const { products: similar } = await call(productCalls.relatedProducts, {
    params: { productId, categoryId: category._id },
  })
  return { product, similar }
}

export const loader = async (args: Route.LoaderArgs) => {
  const loaded = await load(args)
  const { _id: id, name, category } = loaded.product
  const { url } = args.context.get(shopContext)
  const { product } = await callOf(args)(seoCalls.structuredData, { params: { id } })
  const crumbs = [
    { name: category.name, path: categoryPath(category) },
    { name, path: productPath(loaded.product) },
  ]
  return { ...loaded, structuredData: [product, ...breadcrumbList(url, crumbs)] }
}
export const clientLoader = (args: Route.ClientLoaderArgs) => load(args)

export const meta: Route.MetaFunction = ({ loaderData }) => structuredDataOf(loaderData)

/** A product, and similar products (spec §2). */
export default function ProductPage({ loaderData: { product, similar } }: Route.ComponentProps) {
  const money = useMoney()
  return (
    <div className="mx-auto max-w-7xl px-4 pt-12 lg:px-8">
      <PageHead
        title={product.name}
        description={truncate(
          (product.formatted?.plain ?? product.description).replace(/\s+/g, ' '),
          160,
        )}
        path={productPath(product)}
        image={import.meta.env.SSR ? productPicturePath(product) : undefined}
        isProduct
      />
      <article className="grid gap-8 md:grid-cols-2 lg:gap-14">
        <div className="surface self-start overflow-hidden">
          <LargePhoto product={product}>
            <ProductPhoto
              product={product}
              height={400}
              widths={[640, 1280]}
              sizes="(width >= 80rem) 38rem, (width >= 48rem) 50vw, 100vw"
              loading="first"
            />
          </LargePhoto>
        </div>
        <div className="flex min-w-0 flex-col items-start gap-5 md:py-4">
          <a
            href={categoryPath(product.category)}
            className="badge badge-soft badge-secondary wrap-anywhere h-auto rounded-full"
          >
            {product.category.name}
          </a>
          <h1 className="wrap-anywhere text-4xl sm:text-5xl">{product.name}</h1>
          <p className="font-semibold text-3xl text-secondary">{money(product.price)}</p>
          <div className="markdown wrap-anywhere max-w-prose space-y-3 whitespace-pre-line text-lg leading-relaxed">
            {product.formatted ? (
              <MarkdownText nodes={product.formatted.nodes} />
            ) : (
              <p>{product.description}</p>
            )}
          </div>
          <StockHint quantity={product.quantity} />
          <AddToCart
            product={product}
            label="ADD TO CART"
            className="btn-lg w-full sm:w-auto sm:px-12"
          />
        </div>
      </article>
      <section className="mt-20">
        <h2 className="mb-6 text-3xl">Similar Products</h2>
        {similar.length === 0 ? (
          <p>No Similar Products Found</p>
        ) : (
          <ProductGrid products={similar} heading="h3" cutAt={30} details="More Details" wide />
        )}
      </section>
    </div>
  )
}

/** Whether the product is in stock, and the quantity when it is low. */
function StockHint({ quantity }: { quantity: number }) {
  const { lowStock } = useShop()
  if (quantity === 0)
    return <p className="badge badge-neutral badge-lg rounded-full">Out of stock</p>
  if (quantity > lowStock) return <p className="text-base-content/75">In stock</p>
  return <p className="badge badge-accent badge-lg rounded-full">Only {quantity} left</p>
}
