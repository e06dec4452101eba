import { Form, Link, useSearchParams } from 'react-router'
import { LIST_PAGE_SIZE } from '../contract/fields.ts'

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
