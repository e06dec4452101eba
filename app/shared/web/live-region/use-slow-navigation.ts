import { useEffect } from 'react'
import { useNavigation } from 'react-router'
import { announce } from './announcements.tsx'

/** Quicker navigations are not announced. */
const SLOW_MS = 700

/** Announces that a page is loading, when that takes time. */
export function useSlowNavigation() {
  const busy = useNavigation().state !== 'idle'
  useEffect(() => {
    if (!busy) return
    const timer = setTimeout(() => announce('Loading the page'), SLOW_MS)
    return () => clearTimeout(timer)
  }, [busy])
}
