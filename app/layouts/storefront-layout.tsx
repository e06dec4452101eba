import { Outlet, type ShouldRevalidateFunction } from 'react-router'
import { type Category, categoryCalls } from '#app/categories/contract.ts'
import { ErrorPage } from '#app/shared/web/failure/error-page.tsx'
import { isReturning } from '#app/shared/web/failure/stay-on-failure.ts'
import { callOf, type LoadArgs } from '#app/shared/web/load.ts'
import type { Route } from './+types/storefront-layout.ts'
import { Frame } from './frame.tsx'

const load = async ({ context }: Pick<LoadArgs, 'context'>) =>
  (await callOf({ context })(categoryCalls.getCategories)).category

export const loader = ({ context }: Route.LoaderArgs) => load({ context })
/** In the browser, a page is shown even when the menu cannot be loaded. */
export const clientLoader = ({ context }: Route.ClientLoaderArgs) =>
  load({ context }).catch((): Category[] => [])

/** A new keyword, page or filter does not change the categories. */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}) => !isReturning(nextUrl) && currentUrl.search === nextUrl.search && defaultShouldRevalidate

/** The layout of all customers' pages (spec §2). */
export default function StorefrontLayout({ loaderData }: Route.ComponentProps) {
  return (
    <Frame categories={loaderData}>
      <Outlet />
    </Frame>
  )
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <Frame categories={loaderData ?? []}>
      <ErrorPage error={error} />
    </Frame>
  )
}
