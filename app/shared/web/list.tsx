import { Form, Link, useSearchParams } from 'react-router'
import { LIST_PAGE_SIZE } from '../contract/fields.ts'
import { useAnnouncement } from './toast.tsx'

/** A search field of a list; the URL contains the text as `q`. */
export function ListSearch({ label }: { label: string }) {
  const [params] = useSearchParams()
  const q = params.get('q') ?? ''
  return (
    <Form
      role="search"
      aria-label="Search the list"
      className="flex flex-wrap items-center gap-2 max-sm:w-full"
    >
      <input
        key={q}
        type="search"
        name="q"
        defaultValue={q}
        maxLength={200}
        placeholder={label}
        aria-label={label}
        className="input min-w-0 flex-1 placeholder:text-base-content/75 sm:w-64"
      />
      <button type="submit" className="btn btn-secondary">
        Find
      </button>
      {q !== '' && (
        <Link to="?" className="btn btn-ghost">
          Show all
        </Link>
      )}
    </Form>
  )
}

type TitleProps = {
  title: string
  /** The count in words; undefined while it is unknown. */
  counted?: string | null
}

/** The title of a list with its count, which is announced when the list changes. */
export function ListTitle({ title, counted }: TitleProps) {
  useAnnouncement(counted ? `Listed: ${counted}` : null)
  return (
    <div>
      <h1 className="text-3xl">{title}</h1>
      {counted && <p className="wrap-anywhere mt-1 text-base-content/75">{counted}</p>}
    </div>
  )
}

type PagesProps = { page: number; total: number; pageSize?: number }

/** Pagination: next, previous, or any page by number. */
export function Pages({ page, total, pageSize = LIST_PAGE_SIZE }: PagesProps) {
  const [params] = useSearchParams()
  const last = Math.max(1, Math.ceil(total / pageSize))
  if (last === 1 && page === 1) return null
  const otherParams = [...params].filter(([name]) => name !== 'page')
  const to = (wanted: number) => `?${new URLSearchParams([...otherParams, ['page', `${wanted}`]])}`
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2">
      {page > 1 && (
        <Link to={to(Math.min(page - 1, last))} rel="prev" className="btn bg-base-100">
          Previous
        </Link>
      )}
      <Form className="flex items-center gap-2">
        {otherParams.map(([name, value]) => (
          <input key={`${name}=${value}`} type="hidden" name={name} value={value} />
        ))}
        <label className="flex items-center gap-2">
          Page
          <input
            key={page}
            type="number"
            name="page"
            min={1}
            max={last}
            required
            defaultValue={page}
            className="input w-20 text-center"
          />
        </label>
        of {last}
      </Form>
      {page < last && (
        <Link to={to(page + 1)} rel="next" className="btn bg-base-100">
          Next
        </Link>
      )}
    </nav>
  )
}
