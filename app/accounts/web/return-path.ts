import { useLocation } from 'react-router'

const HERE = 'https://shop.invalid'

/**
 * Where to go after logging in: a path of this site, else the home page. What leads elsewhere in
 * any spelling (`//x`, `/\x`, `/a/..//x`) or to a log-in again is not followed.
 */
export function safePath(target: unknown): string {
  if (typeof target !== 'string' || !target.startsWith('/') || !URL.canParse(target, HERE))
    return '/'
  const { origin, pathname, search, hash } = new URL(target, HERE)
  const elsewhere = origin !== HERE || pathname.startsWith('//') || pathname === '/login'
  return elsewhere ? '/' : pathname + search + hash
}

/** What a link to the log-in remembers: the page to come back to (spec §2). */
export type ReturnState = { from: string }

/** The page that brought the visitor here, as the state or `?from=` of this address says. */
export function useReturnPath(): string {
  const { state, search } = useLocation()
  return safePath(state?.from ?? new URLSearchParams(search).get('from'))
}
