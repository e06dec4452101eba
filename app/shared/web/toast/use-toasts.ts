import { useAtom } from 'jotai'
import { type ComponentType, useEffect, useState } from 'react'
import { log } from '../failure/log.ts'
import { fetchToasts, toastsWantedAtom } from './toast.ts'

/** What a visitor begins with, whatever is done then. */
const USER_EVENTS = ['pointerdown', 'keydown', 'focusin', 'scroll'] as const

/**
 * What draws the toasts, once it is here: fetched when the visitor first does anything, so that
 * it is there before there is something to say, and mostly also when the connection has gone by then.
 */
export function useToasts(): ComponentType | null {
  const [wanted, want] = useAtom(toastsWantedAtom)
  const [toasts, setToasts] = useState<ComponentType | null>(null)
  useEffect(() => {
    const done = new AbortController()
    const options = { once: true, signal: done.signal }
    for (const event of USER_EVENTS) window.addEventListener(event, () => want(true), options)
    return () => done.abort()
  }, [want])
  useEffect(() => {
    if (!wanted) return
    fetchToasts()
      .then(({ Toasts }) => setToasts(() => Toasts))
      .catch(log)
  }, [wanted])
  return toasts
}
