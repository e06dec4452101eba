import { lazy, Suspense } from 'react'
import { replace, type ShouldRevalidateFunction } from 'react-router'
import { categoryPath } from '#app/categories/contract.ts'
import { seoCalls } from '#app/seo/contract.ts'
import { productPicturePath } from '#app/seo/picture-contract.ts'
import { MarkdownText } from '#app/settings/web/markdown-text.tsx'
import { breadcrumbList, PageHead, structuredDataOf } from '#app/shared/web/head.tsx'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import { shopContext } from '#app/shared/web/shop.ts'
import { truncate } from '#app/shared/web/texts.ts'
import { CHOICE_ID, productCalls, productPath } from '../contract.ts'
import type { Route } from './+types/product-page.ts'
import { BuyForm } from './buy-form.tsx'
import { Gallery } from './gallery.tsx'
import { ProductGrid } from './list/product-grid.tsx'
import { packVariants } from './packed-variants.ts'
import { propertyValues } from './product-facts.tsx'
import { PriceTag, StockHint } from './product-offer.tsx'
import './product-offer.css'

const load = async ({ params: { slug }, request, context }: LoadArgs<{ slug: string }>) => {
  const call = callOf({ context })
  const { product } = await call(productCalls.getProduct, { params: { slug } })
  // a renamed product has a new URL, a chosen variant stays chosen
  if (product.slug !== slug) throw replace(productPath(product) + new URL(request.url).search, 301)
  const { _id: productId, category } = product
  const { products: similar } = await call(productCalls.similarProducts, {
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
  const described = { ...product, ...propertyValues(loaded.product) }
  const structuredData = [described, ...breadcrumbList(url, crumbs)]
  return { ...loaded, product: packVariants(loaded.product), structuredData }
}
export const clientLoader = (args: Route.ClientLoaderArgs) => load(args)

/** The product has one kept page: that with a chosen variant is made for each request. */
export const handle = {
  isKept: (params: URLSearchParams) => !params.has('variant'),
}

/** Another variant is of the same data. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}) =>
  defaultShouldRevalidate &&
  (currentUrl.pathname !== nextUrl.pathname || currentUrl.search === nextUrl.search)

export const meta: Route.MetaFunction = ({ loaderData }) => structuredDataOf(loaderData)

/**
 * Rendered with the page, and loaded by browsers after it, because only products with options or attributes need them.
 * Where they cannot be loaded, the page stays as it was rendered.
 */
const loaded = <Part,>(part: Promise<Part>) => part.catch(() => new Promise<never>(() => {}))
const importOffer = () => loaded(import('./variant-offer.tsx'))
const importFacts = () => loaded(import('./product-facts.tsx'))
const onServer = import.meta.env.SSR ? { ...(await importOffer()), ...(await importFacts()) } : null
const VariantPrice =
  onServer?.VariantPrice ?? lazy(async () => ({ default: (await importOffer()).VariantPrice }))
const VariantGallery =
  onServer?.VariantGallery ?? lazy(async () => ({ default: (await importOffer()).VariantGallery }))
const VariantOffer =
  onServer?.VariantOffer ?? lazy(async () => ({ default: (await importOffer()).VariantOffer }))
const ProductFacts =
  onServer?.ProductFacts ?? lazy(async () => ({ default: (await importFacts()).ProductFacts }))

/** A product, and similar products (spec §2). */
export default function ProductPage({
  loaderData: { product, similar },
}: Pick<Route.ComponentProps, 'loaderData'>) {
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
        {product.options ? (
          <Suspense>
            <VariantGallery product={product} />
          </Suspense>
        ) : (
          <Gallery product={product} />
        )}
        <div className="flex min-w-0 flex-col items-start gap-5 md:py-4">
          <a
            href={categoryPath(product.category)}
            className="badge badge-soft badge-secondary wrap-anywhere h-auto rounded-full"
          >
            {product.category.name}
          </a>
          <h1 dir="auto" className="wrap-anywhere hyphenated text-4xl sm:text-5xl">
            {product.name}
          </h1>
          {product.options ? (
            <Suspense>
              <VariantPrice product={product} />
            </Suspense>
          ) : (
            <PriceTag {...product} />
          )}
          <div className="markdown wrap-anywhere max-w-prose space-y-3 whitespace-pre-line text-lg leading-relaxed">
            {product.formatted ? (
              <MarkdownText nodes={product.formatted.nodes} />
            ) : (
              <p dir="auto">{product.description}</p>
            )}
          </div>
          {product.attributes && (
            <Suspense>
              <ProductFacts attributes={product.attributes} />
            </Suspense>
          )}
          {product.options ? (
            <div id={CHOICE_ID} className="flex w-full scroll-mt-24 flex-col items-start gap-5">
              <Suspense>
                <VariantOffer product={product} />
              </Suspense>
            </div>
          ) : (
            <>
              <StockHint quantity={product.quantity} />
              <BuyForm entry={product} />
            </>
          )}
          {product.delivery && <p>{product.delivery.text}</p>}
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
