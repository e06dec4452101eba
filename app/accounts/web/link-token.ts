import { useLocation } from 'react-router'
import { useHydrated } from '#app/shared/web/storage.ts'

/**
 * The token of a link in an e-mail, from the fragment of the URL, which browsers send to no server. Null
 * when there is none; undefined before hydration.
 */
export function useLinkToken(): string | null | undefined {
  const { hash } = useLocation()
  const isHydrated = useHydrated()
  if (!isHydrated) return undefined
  return hash.slice(1) || null
}

/** Said where there is none. */
export const INCOMPLETE = 'Please open the link in our e-mail. This address is not complete.'
