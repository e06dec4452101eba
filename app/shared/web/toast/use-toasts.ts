import { type ComponentType, useEffect, useState } from 'react'
import { log } from '../failure/log.ts'
import { useStore } from '../storage/use-store.ts'
import { fetchToasts, toastsWantedAtom } from './toast.ts'

/** Events of user activity; the first one loads the toasts. */
const USER_EVENTS = ['pointerdown', 'keydown', 'focusin', 'scroll'] as const

/**
 * The toast component, once it is loaded. It is fetched on the first user event, so that it is
 * available before it is needed, and usually even when the connection is lost by then.
 */
export function useToasts(): ComponentType | null {
  const wanted = useStore(toastsWantedAtom)
  const [toasts, setToasts] = useState<ComponentType | null>(null)
  useEffect(() => {
    const done = new AbortController()
    const options = { once: true, signal: done.signal }
    const want = () => toastsWantedAtom.set(true)
    for (const event of USER_EVENTS) window.addEventListener(event, want, options)
    return () => done.abort()
  }, [])
  useEffect(() => {
    if (!wanted) return
    fetchToasts()
      .then(({ Toasts }) => setToasts(() => Toasts))
      .catch(log)
  }, [wanted])
  return toasts
}
