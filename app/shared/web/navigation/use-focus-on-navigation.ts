import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * Moves the focus to the main area after navigation to another page, for keyboards and screen
 * readers. Navigation on the same page does not move the focus.
 */
export function useFocusOnNavigation() {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // the router restores the scroll position
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
}
