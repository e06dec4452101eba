import type { ReactNode } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { LIST_PAGE_SIZE } from '#app/shared/contract/fields.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { ListTitle, Pages } from '#app/shared/web/list.tsx'
import { pageOf } from '#app/shared/web/query.ts'
import { pluralize } from '#app/shared/web/texts.ts'

type Listed = { items: { _id: string }[]; total: number }

type Props<Found extends Listed> = {
  title: string
  /** The page of the list; null when it could not be loaded. */
  found: Found | null
  pageSize?: number
  /** The noun of an entry, and whether a search found it. */
  what: string
  isSearch?: boolean
  /** Follows the count, such as: with “cup” in the name. */
  condition?: string
  /** The name of the list for screen readers. */
  label?: string
  /** An entry of the list, with its place in all pages, from 1. */
  entry: (item: Found['items'][number], place: number) => ReactNode
  /** The classes of the list, which is one surface by default. */
  className?: string
  /** Shown for a list without entries. */
  empty: ReactNode
  /** Shown for a page after the last one. */
  pastEnd?: string
  /** Beside the title. */
  tools?: ReactNode
  /** Above the list: the argument is what was loaded last. */
  above?: (last: Found | null) => ReactNode
}

/** A page with a list in pages, newest first. A failed reload keeps what was loaded last. */
export function ListPage<Found extends Listed>(props: Props<Found>) {
  const { title, found, what, isSearch = false, label, entry, empty, tools, above } = props
  const { pageSize = LIST_PAGE_SIZE, condition = '', pastEnd = 'There is no such page.' } = props
  const { className = 'surface divide-y divide-base-300' } = props
  const last = useLastLoaded(found, useLocation().search)
  const page = pageOf(useSearchParams()[0])
  return (
    <section className="space-y-6">
      <PageHead title={title} hidden />
      <header className="flex flex-wrap items-end justify-between gap-4">
        <ListTitle
          title={title}
          counted={last && `${pluralize(last.total, what, isSearch)} ${condition}`.trim()}
        />
        {tools}
      </header>
      {above?.(last)}
      {!found && <NotLoaded />}
      {last && (
        <>
          <ul aria-label={label} className={last.items.length > 0 ? className : 'surface'}>
            {last.items.map((item, position) => (
              <li key={item._id}>{entry(item, (page - 1) * pageSize + position + 1)}</li>
            ))}
            {last.items.length === 0 && (
              <li className="px-6 py-16 text-center text-lg">{last.total > 0 ? pastEnd : empty}</li>
            )}
          </ul>
          <Pages page={page} total={last.total} pageSize={pageSize} />
        </>
      )}
    </section>
  )
}
