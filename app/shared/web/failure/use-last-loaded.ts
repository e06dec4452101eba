import { useState } from 'react'

/**
 * The data loaded last: a failed reload (null) does not replace it, so that the page keeps what was
 * entered in it. Data of another `key`, such as another search, is not kept.
 */
export function useLastLoaded<T>(loaded: T | null, key = ''): T | null {
  const [last, setLast] = useState({ loaded, key })
  const isKept = key === last.key && (loaded === null || loaded === last.loaded)
  if (isKept) return last.loaded
  setLast({ loaded, key })
  return loaded
}
