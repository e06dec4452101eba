import { Outlet } from 'react-router'
import { type Category, categoryCalls } from '#app/categories/contract.ts'
import { settingsCalls } from '#app/settings/contract.ts'
import type { PublicSettings } from '#app/shared/contract/public-settings.ts'
import { ErrorPage } from '#app/shared/web/failure.tsx'
import { callOf, type LoadArgs, revalidateUnlessChoosing } from '#app/shared/web/load.ts'
import type { Route } from './+types/storefront-layout.ts'
import { Frame } from './frame.tsx'

/** The categories for the menu, and the settings where they were loaded anew. */
type FrameData = { categories: Category[]; settings: PublicSettings | null }

const loadCategories = async ({ context }: Pick<LoadArgs, 'context'>) =>
  (await callOf({ context })(categoryCalls.getCategories)).category

/** The settings of a page that the server renders are those of the root. */
export const loader = async ({ context }: Route.LoaderArgs): Promise<FrameData> => ({
  categories: await loadCategories({ context }),
  settings: null,
})

/** In the browser, a page is shown even when the menu or the settings cannot be loaded. */
export async function clientLoader({ context }: Route.ClientLoaderArgs): Promise<FrameData> {
  const [categories, settings] = await Promise.all([
    loadCategories({ context }).catch((): Category[] => []),
    callOf({ context })(settingsCalls.getSettings).catch(() => null),
  ])
  return { categories, settings }
}

export const shouldRevalidate = revalidateUnlessChoosing

/** The layout of all customers' pages (spec §2). */
export default function StorefrontLayout({ loaderData }: Route.ComponentProps) {
  return (
    <Frame categories={loaderData.categories}>
      <Outlet />
    </Frame>
  )
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <Frame categories={loaderData?.categories ?? []}>
      <ErrorPage error={error} />
    </Frame>
  )
}
