import { Form, Link, useSearchParams } from 'react-router'

/** A search field of a list; the URL holds the text as `q`. */
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
