import { useState } from 'react'

/** The data loaded last: a failed reload (null) does not replace it. */
export function useLastLoaded<T>(loaded: T | null): T | null {
  const [last, setLast] = useState(loaded)
  if (loaded === null || loaded === last) return last
  setLast(loaded)
  return loaded
}
