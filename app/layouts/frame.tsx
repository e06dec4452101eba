import { useAtomValue } from 'jotai'
import { createPortal } from 'react-dom'
import { Toaster } from 'react-hot-toast'
import type { Category } from '#app/categories/contract.ts'
import { toastPlaceAtom } from '#app/shared/web/dialog/toast-place.ts'
import { Footer } from './footer.tsx'
import { Navbar } from './navbar.tsx'

const TOAST = {
  border: '1px solid var(--color-base-300)',
  background: 'var(--color-base-100)',
  color: 'var(--color-base-content)',
}

/** Navbar, main area with its toasts, footer (spec §2). */
export function Frame({
  categories,
  children,
}: {
  categories: Category[]
  children: React.ReactNode
}) {
  return (
    <div className="flex min-h-dvh flex-col pb-16 md:pb-0">
      <a
        href="#main"
        className="btn btn-primary fixed top-2 left-2 z-50 -translate-y-20 focus:translate-y-0"
      >
        Skip to the content
      </a>
      <Navbar categories={categories} />
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <Footer />
      <Toasts />
    </div>
  )
}

/** Over an open dialog, whose backdrop would hide them, they are shown in it. */
function Toasts() {
  const place = useAtomValue(toastPlaceAtom)
  const toasts = <Toaster toastOptions={{ style: TOAST }} />
  return place ? createPortal(toasts, place) : toasts
}
