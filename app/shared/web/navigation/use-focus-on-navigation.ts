import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/**
 * After going to another page the keyboard and the screen reader begin in its main area, as they
 * would after a load. Another choice on the same page leaves the focus where it is.
 */
export function useFocusOnNavigation() {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // where the window stands is the router's business
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
}
