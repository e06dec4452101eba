import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import { previewCalls } from '../preview-contract.ts'
import type { Route } from './+types/preview-page.ts'
import ProductPage from './product-page.tsx'

const load = async ({ request, context }: LoadArgs) => {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  const call = callOf({ context })
  const { product } = await call(previewCalls.previewProduct, { query: { token } })
  return { product, similar: [] }
}

export const loader = (args: Route.LoaderArgs) => load(args)
export const clientLoader = (args: Route.ClientLoaderArgs) => load(args)

export const handle = {
  canonicalParams: (params: URLSearchParams) =>
    new URLSearchParams({ token: params.get('token') ?? '' }),
}

export const headers: Route.HeadersFunction = () => ({
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  // the address has the token, and proxies log referrers
  'referrer-policy': 'strict-origin',
})

/** The page of a product as it will be in the shop, by a signed link of the back office. */
export default function PreviewPage({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <meta name="robots" content="noindex" />
      <p className="mx-auto max-w-7xl px-4 pt-6 lg:px-8">
        This is a preview. Its link works for a week, for everybody who has it.
      </p>
      <ProductPage loaderData={loaderData} />
    </>
  )
}
