import type { ReactNode } from 'react'
import { PageHead } from '#app/shared/web/page-head.tsx'

/** The card that an account form stands on. */
export function AccountCard({
  page,
  title,
  children,
}: {
  /** The title of the page. */
  page: string
  title: string
  children: ReactNode
}) {
  return (
    <section className="mx-auto w-full max-w-md px-4 py-12 sm:py-16">
      <PageHead title={page} hidden />
      <div className="surface space-y-6 p-6 shadow-sm sm:p-10">
        <h1 className="text-center text-3xl">{title}</h1>
        {children}
      </div>
    </section>
  )
}
