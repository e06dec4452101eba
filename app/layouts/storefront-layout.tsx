import type { ReactNode } from 'react'
import { Outlet } from 'react-router'
import { type Category, categoryCalls } from '#app/categories/contract.ts'
import { PaymentBanner } from '#app/payments/web/payment-banner.tsx'
import { settingsCalls } from '#app/settings/contract.ts'
import type { PublicSettings } from '#app/shared/contract/public-settings.ts'
import { ErrorPage } from '#app/shared/web/failure.tsx'
import { callOf, type LoadArgs, revalidateUnlessChoosing } from '#app/shared/web/load.ts'
import { useKeptFocus, useSlowNavigation } from '#app/shared/web/navigation.tsx'
import { useStore } from '#app/shared/web/storage.ts'
import { LiveRegion, noticeAtom } from '#app/shared/web/toast.tsx'
import '../app.css'
import type { Route } from './+types/storefront-layout.ts'
import { Footer } from './footer.tsx'
import { Navbar } from './navbar.tsx'

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

type FrameProps = { categories: Category[]; children: ReactNode }

/** Navbar, main area with its toasts, footer (spec §2). */
function Frame({ categories, children }: FrameProps) {
  useKeptFocus()
  useSlowNavigation()
  return (
    <div className="flex min-h-dvh flex-col pb-16 md:pb-0">
      <a
        href="#main"
        className="btn btn-primary fixed top-2 left-2 z-50 -translate-y-20 focus:translate-y-0 print:hidden"
      >
        Skip to the content
      </a>
      <PaymentBanner />
      <Navbar categories={categories} />
      {useStore(noticeAtom)}
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <Footer />
      <LiveRegion />
    </div>
  )
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <Frame categories={loaderData?.categories ?? []}>
      <ErrorPage error={error} />
    </Frame>
  )
}
