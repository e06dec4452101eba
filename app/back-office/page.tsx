import type { ReactNode } from 'react'
import { PageHead } from '#app/shared/web/head.tsx'

type Props = {
  title: string
  /** The title in the browser's tab, where it names the object. */
  tab?: string
  /** Beside the title. */
  tools?: ReactNode
  children: ReactNode
}

/** A page of the back office that is no list. */
export const BackOfficePage = ({ title, tab = title, tools, children }: Props) => (
  <section className="space-y-6">
    <PageHead title={tab} hidden />
    <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-2">
      <h1 className="wrap-anywhere text-3xl">{title}</h1>
      {tools}
    </header>
    {children}
  </section>
)
