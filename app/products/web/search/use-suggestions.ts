import { useEffect, useState } from 'react'
import { LONGEST_SUGGESTED, type Suggestions, searchCalls } from '#app/products/search-contract.ts'
import { abortable } from '#app/shared/web/browser-call.ts'

/** Whoever types faster asks once, when they pause. */
const PAUSE_MS = 120

/**
 * What the text may become; null while there is nothing to say. Another text ends the request of
 * the one before, so that no late answer is shown. A failure is nobody's business: the form works.
 */
export function useSuggestions(text: string): Suggestions | null {
  const [latest, setLatest] = useState<{ text: string; answer: Suggestions } | null>(null)
  const typed = text.trim()
  useEffect(() => {
    if (typed.length < 2 || typed.length > LONGEST_SUGGESTED) return
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
  // while the next answer is under way, the last one stays where it still fits
  return latest && typed.length >= 2 && typed.startsWith(latest.text) ? latest.answer : null
}
