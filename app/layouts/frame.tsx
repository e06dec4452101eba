import type { Category } from '#app/categories/contract.ts'
import { PaymentBanner } from '#app/payments/web/payment-banner.tsx'
import { useKeptFocus, useSlowNavigation } from '#app/shared/web/navigation.tsx'
import { LiveRegion } from '#app/shared/web/toast.tsx'
import { Footer } from './footer.tsx'
import { Navbar } from './navbar.tsx'

/** Navbar, main area with its toasts, footer (spec §2). */
export function Frame({
  categories,
  children,
}: {
  categories: Category[]
  children: React.ReactNode
}) {
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
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <Footer />
      <LiveRegion />
    </div>
  )
}
