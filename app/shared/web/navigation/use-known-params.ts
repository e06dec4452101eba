import { useMatches, useSearchParams } from 'react-router'
import { canonicalParamsOf } from './canonical-params.ts'

/**
 * What the page understands of its address. The rest must not be drawn: the server, which makes a
 * page for all addresses that mean the same, never sees it.
 */
export function useKnownParams(): URLSearchParams {
  const [params] = useSearchParams()
  return canonicalParamsOf(useMatches().at(-1)?.handle)(params)
}
