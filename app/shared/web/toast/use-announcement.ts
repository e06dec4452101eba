import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { announce } from './toast.ts'

/** React Router's key of the page that was fetched, or from which this script was loaded. */
const FIRST_KEY = import.meta.env.SSR ? null : (history.state?.key ?? 'default')

/**
 * Announces a text to screen readers when it changes, or when another list is shown at the same page;
 * not on the first page of a visit, which is read anyway.
 */
export function useAnnouncement(text: string | null) {
  const { search, key } = useLocation()
  const shown = search + text
  const heard = useRef(key === FIRST_KEY ? shown : null)
  useEffect(() => {
    if (heard.current === shown) return
    heard.current = shown
    if (text !== null) announce(text)
  }, [shown, text])
}
