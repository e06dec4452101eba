import { useMatches, useSearchParams } from 'react-router'
import { canonicalParamsOf } from './canonical-params.ts'

/**
 * The known parameters of the page. Others must not be rendered: the server, which renders one page
 * per canonical URL, does not see them.
 */
export function useKnownParams(): URLSearchParams {
  const [params] = useSearchParams()
  return canonicalParamsOf(useMatches().at(-1)?.handle)(params)
}
