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
  const [told, setTold] = useState<{ text: string; answer: Suggestions } | null>(null)
  const asked = text.trim()
  useEffect(() => {
    if (asked.length < 2 || asked.length > LONGEST_SUGGESTED) return
    const stop = new AbortController()
    const ask = async () => {
      const answer = await abortable(stop.signal)(searchCalls.suggest, { query: { q: asked } })
      setTold({ text: asked, answer })
    }
    const timer = setTimeout(() => ask().catch(() => {}), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [asked])
  // while the next answer is under way, the last one stays where it still fits
  return told && asked.length >= 2 && asked.startsWith(told.text) ? told.answer : null
}
