import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { fetchToasts } from '../toast/toast.ts'

/**
 * Moves the focus to the heading after navigation to another page and announces the page's title, for
 * keyboards and screen readers. Navigation on the same page does not move the focus.
 */
export function useFocusOnNavigation() {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    fetchToasts().then(
      ({ arrive }) => arrive(),
      () => document.getElementById('main')?.focus({ preventScroll: true }),
    )
  }, [pathname])
}
