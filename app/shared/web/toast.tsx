import { atom } from 'nanostores'
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'react-router'
import { useStore } from './storage.ts'
import { keepsMessages, onMessagesChoice } from './theme.tsx'

/** How long a toast is shown (spec §4). */
const DURATION_MS = { success: 2000, error: 4000, blank: 4000 }
const MAX_TOASTS = 20

type Kind = keyof typeof DURATION_MS
/** The ends of the window, between the header and the bar at the bottom of a phone (`scroll-padding-block`). */
const ENDS = { top: { top: '9rem' }, bottom: { bottom: '5rem' } }

type Toast = {
  id: string
  /** Another one each time that a toast is shown: in place of one with its `id`, its time begins anew. */
  key: number
  kind: Kind
  text: string
  /** Where it stands that covers no control in use; taps go through it. */
  end: keyof typeof ENDS | null
}

type Options = {
  id?: string
  /** The control in use: the toast stands at the other end of the window. */
  awayFrom?: Element | null
}
type Announcement = { id: number; text: string }

/** A notice above the storefront's pages, until it is set to null or the document is loaded again. */
export const noticeAtom = atom<ReactNode>(null)

/** The newest first. */
const toastsAtom = atom<Toast[]>([])
const announcementsAtom = atom<Announcement[]>([])
/** The open dialogs, the topmost last: it contains the live region. */
export const openDialogsAtom = atom<HTMLDialogElement[]>([])

let lastId = 0
const nextId = () => {
  lastId += 1
  return lastId
}

const others = <Item extends { id: unknown }>(items: Item[], id: Item['id']) =>
  items.filter((one) => one.id !== id)

const dismiss = (id: string) => toastsAtom.set(others(toastsAtom.get(), id))

/** The end of the window that is farther from an element. */
function endAwayFrom(element: Element): keyof typeof ENDS {
  const { top, bottom } = element.getBoundingClientRect()
  return top + bottom < window.innerHeight ? 'bottom' : 'top'
}

/** Shows a toast in place of one with the same `id`. The server, whose atoms all visitors share, shows none. */
const shower =
  (kind: Kind) =>
  (text: string, { id = `${nextId()}`, awayFrom }: Options = {}) => {
    if (import.meta.env.SSR) return
    const end = awayFrom ? endAwayFrom(awayFrom) : null
    const one = { id, key: nextId(), kind, text, end }
    toastsAtom.set([one, ...others(toastsAtom.get(), id)].slice(0, MAX_TOASTS))
  }

/** Shows a toast, which disappears by itself, unless the visitor keeps messages open. */
export const toast = Object.assign(shower('blank'), {
  success: shower('success'),
  error: shower('error'),
})

/** The live region may be moving into a dialog or out of it, and has to be there before its text. */
const DELAY_MS = 100
const LIFETIME_MS = 1000

/** Announces a text to screen readers, which is not shown. */
export function announce(text: string) {
  const one = { id: nextId(), text }
  setTimeout(() => announcementsAtom.set([...announcementsAtom.get(), one]), DELAY_MS)
  setTimeout(
    () => announcementsAtom.set(others(announcementsAtom.get(), one.id)),
    DELAY_MS + LIFETIME_MS,
  )
}

/** React Router's key of the page that was fetched, or from which this script was loaded. */
const FIRST_KEY = import.meta.env.SSR ? null : (history.state?.key ?? 'default')

/**
 * Announces a text to screen readers when it changes, or when another list is shown at the same page;
 * not on the first page of a visit, which is read anyway.
 */
export function useAnnouncement(text: string | null) {
  const { search, key } = useLocation()
  const shown = search + text
  const announced = useRef(key === FIRST_KEY ? shown : null)
  useEffect(() => {
    if (announced.current === shown) return
    announced.current = shown
    if (text !== null) announce(text)
  }, [shown, text])
}

/**
 * The live region of every page, with its toasts and the announcements. It is there before its texts; a
 * toast that brought a region of its own would not be announced reliably. While a modal dialog is open it
 * is rendered inside it, because its backdrop would cover the toasts, and the page below is hidden from
 * screen readers.
 */
export function LiveRegion() {
  const dialog = useStore(openDialogsAtom).at(-1)
  const region = (
    <div
      role="status"
      aria-atomic="false"
      className="pointer-events-none fixed inset-x-0 top-0 z-50 print:hidden"
    >
      <div className="sr-only">
        {useStore(announcementsAtom).map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
      <div className="flex flex-col items-center gap-2 p-4">
        {useStore(toastsAtom).map(({ key, ...one }) => (
          <ToastBar key={key} {...one} />
        ))}
      </div>
    </div>
  )
  return dialog ? createPortal(region, dialog) : region
}

const MARKS = {
  success: { color: '#61d345', d: 'm6 10.500 3 3 5-6.500' },
  error: { color: '#ff4b4b', d: 'm6.500 6.500 7 7m0-7-7 7' },
}

function ToastBar({ id, kind, text, end }: Omit<Toast, 'key'>) {
  const keeps = useSyncExternalStore(onMessagesChoice, keepsMessages, () => false)
  const [isRead, setRead] = useState(false)
  useEffect(() => {
    if (keeps || isRead) return
    const timer = setTimeout(dismiss, DURATION_MS[kind], id)
    return () => clearTimeout(timer)
  }, [id, kind, keeps, isRead])
  return (
    <div
      onPointerEnter={() => setRead(true)}
      onPointerLeave={() => setRead(false)}
      style={end ? { position: 'fixed', ...ENDS[end] } : undefined}
      className={`surface flex max-w-sm items-center gap-2 px-3 py-2 shadow-lg ${end && !keeps ? '' : 'pointer-events-auto'}`}
    >
      {kind !== 'blank' && (
        <svg aria-hidden="true" viewBox="0 0 20 20" className="size-5 shrink-0" strokeWidth="2">
          <circle cx="10" cy="10" r="10" fill={MARKS[kind].color} />
          <path d={MARKS[kind].d} fill="none" stroke="#fff" />
        </svg>
      )}
      <p className="wrap-anywhere min-w-0">{text}</p>
      {keeps && (
        <button
          type="button"
          aria-label={`Close: ${text}`}
          onClick={() => dismiss(id)}
          className="btn btn-ghost btn-sm btn-square"
        >
          ✕
        </button>
      )}
    </div>
  )
}
