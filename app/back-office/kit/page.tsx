import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { PageHead } from '#app/shared/web/head.tsx'

export type PageProps = {
  title: string
  /** The title in the browser's tab, where it names the object. */
  tab?: string
  /** The list that the page belongs to. */
  back?: { href: string; label: string }
  /** Beside the title, such as a count, or the name of the object. */
  note?: ReactNode
  /** Beside the title. */
  tools?: ReactNode
  children: ReactNode
}

/** A page of the back office: its title, its tools, its content. */
export const Page = ({ title, tab = title, back, note, tools, children }: PageProps) => (
  <section className="space-y-4">
    <PageHead title={tab} hidden />
    <PageHeader title={title} back={back} note={note} tools={tools} />
    {children}
  </section>
)

type HeaderProps = Pick<PageProps, 'title' | 'back' | 'note' | 'tools'>

/** The title of a page, and its tools. */
export const PageHeader = ({ title, back, tools, note }: HeaderProps) => (
  <header className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-3">
      {back && (
        <a
          href={back.href}
          className="link link-hover inline-flex items-center self-center print:hidden"
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
          {back.label}
        </a>
      )}
      <h1 className="wrap-anywhere font-semibold text-xl">{title}</h1>
      {note && <div className="wrap-anywhere min-w-0">{note}</div>}
    </div>
    {tools && <div className="flex flex-wrap items-center gap-2 max-md:*:grow">{tools}</div>}
  </header>
)
