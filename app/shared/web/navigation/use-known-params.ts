import { useMatches, useSearchParams } from 'react-router'

type Spell = (params: URLSearchParams) => URLSearchParams

/**
 * What the page understands of its address, as its `handle.spell` says. The rest must not be drawn:
 * the server, which makes a page for all addresses that mean the same, never sees it.
 */
export function useKnownParams(): URLSearchParams {
  const [params] = useSearchParams()
  const spell: Spell | undefined = useMatches()
    .map(({ handle }) => Object(handle).spell)
    .findLast((one) => one !== undefined)
  return spell ? spell(params) : new URLSearchParams()
}
