import { useEffect, useState } from 'react'
import { MAX_SUGGESTED, type Suggestions, searchCalls } from '#app/products/search-contract.ts'
import { abortable } from '#app/shared/web/browser-call.ts'

/** Debounce: a request is sent when typing pauses for this long. */
const PAUSE_MS = 120

/**
 * The suggestions for the text; null when there are none. A new text aborts the previous request,
 * so no late response is shown. Failures are ignored: the form works without suggestions.
 */
export function useSuggestions(text: string): Suggestions | null {
  const [latest, setLatest] = useState<{ text: string; answer: Suggestions } | null>(null)
  const typed = text.trim()
  useEffect(() => {
    if (typed.length < 2 || typed.length > MAX_SUGGESTED) return
    const stop = new AbortController()
    const fetchSuggestions = async () => {
      const answer = await abortable(stop.signal)(searchCalls.suggest, { query: { q: typed } })
      setLatest({ text: typed, answer })
    }
    const timer = setTimeout(() => fetchSuggestions().catch(() => {}), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [typed])
  // until the next response arrives, the last one is shown while it still fits
  return latest && typed.length >= 2 && typed.startsWith(latest.text) ? latest.answer : null
}
