import { useState } from 'react'

/** What was loaded last: loading again and failing (null) takes nothing from the page. */
export function useLastLoaded<T>(loaded: T | null): T | null {
  const [last, setLast] = useState(loaded)
  if (loaded === null || loaded === last) return last
  setLast(loaded)
  return loaded
}
