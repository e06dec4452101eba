import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Form, useLocation } from 'react-router'
import { href } from '#app/shared/model/href.ts'
import { Icon } from '#app/shared/web/pictures.tsx'

/** Loaded when the field is focused: most visits do not search. */
const Suggestions = lazy(() =>
  import('#app/products/web/suggestions.tsx').then(({ Suggestions }) => ({
    default: Suggestions,
  })),
)

/** Navigates to /search?q=…, with or without scripts; an empty keyword is allowed (spec §5). */
export function SearchForm() {
  const { pathname, search } = useLocation()
  const input = useRef<HTMLInputElement>(null)
  const [field, setField] = useState<HTMLInputElement | null>(null)
  // the field may have been focused before the script ran
  useEffect(() => {
    if (input.current === document.activeElement) setField(input.current)
  }, [])
  const keyword = (pathname === href('/search') && new URLSearchParams(search).get('q')) || ''
  return (
    // on a phone the suggestions are as wide as the header, which is their frame then
    <div className="min-w-36 flex-1 md:relative lg:max-w-md">
      <Form action="/search" role="search" className="join flex">
        <input
          key={keyword}
          ref={input}
          type="search"
          name="q"
          defaultValue={keyword}
          placeholder="Search"
          aria-label="Search"
          autoComplete="off"
          onFocus={(event) => setField(event.currentTarget)}
          className="input join-item min-w-0 flex-1 bg-base-200 placeholder:text-base-content/75"
        />
        <button type="submit" className="btn btn-secondary join-item px-3 lg:px-4">
          <Icon name="search" className="size-5 lg:hidden" />
          <span className="sr-only lg:not-sr-only">Search</span>
        </button>
      </Form>
      {field && (
        <Suspense>
          <Suggestions field={field} />
        </Suspense>
      )}
    </div>
  )
}
