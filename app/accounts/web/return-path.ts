import { useLocation } from 'react-router'
import { href } from '#app/shared/model/href.ts'

const HERE = 'https://shop.invalid'

/**
 * The path to return to after log-in: a path of this site, else the home page. URLs that leave the
 * site in any notation (`//x`, `/\x`, `/a/..//x`) and the log-in itself are rejected (open
 * redirect).
 */
export function safePath(target: unknown): string {
  if (typeof target !== 'string' || !target.startsWith('/') || !URL.canParse(target, HERE))
    return '/'
  const { origin, pathname, search, hash } = new URL(target, HERE)
  const elsewhere = origin !== HERE || pathname.startsWith('//') || pathname === href('/login')
  return elsewhere ? '/' : pathname + search + hash
}

/**
 * The state of a link to the log-in: the page to return to (spec §2), and the e-mail that was just
 * entered, so that it need not be entered again.
 */
export type ReturnState = { from: string; email?: string }

/** The page to return to, from the navigation state or `?from=`. */
export function useReturnPath(): string {
  const { state, search } = useLocation()
  return safePath(state?.from ?? new URLSearchParams(search).get('from'))
}

/** The e-mail that was entered on the page before. */
export function useEnteredEmail(): string | undefined {
  const { state } = useLocation()
  return typeof state?.email === 'string' ? state.email : undefined
}
