import { atom } from 'nanostores'
import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { storedAtom } from '#app/shared/web/storage.ts'
import { openDialogsAtom } from '#app/shared/web/toast.tsx'
import { MENU } from './menu.ts'

/** Whether keys without a modifier are shortcuts: software that types what is said triggers them (WCAG 2.1.4). */
export const singleKeysAtom = storedAtom('single-keys', atom(true), (stored) => stored !== false)

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT|OPTION)$/.test(target.tagName))

const isSingleKey = ({ target, altKey, ctrlKey, metaKey, defaultPrevented }: KeyboardEvent) =>
  singleKeysAtom.get() && !altKey && !ctrlKey && !metaKey && !defaultPrevented && !isTyping(target)

/** Where the focus is after a navigation, and where none is. */
const isPage = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches('body, main, h1')

/** How long G waits for the key of a page. */
const SEQUENCE_MS = 1500

/** Opens dialogs and pages by the keyboard, but while a dialog is open. */
export function useShortcuts(open: (dialog: 'search' | 'shortcuts') => void) {
  const navigate = useNavigate()
  useEffect(() => {
    let goUntil = 0
    const listener = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey } = event
      const row =
        key === 'ArrowDown' &&
        isPage(event.target) &&
        document.querySelector<HTMLElement>('tr.list-row')
      const isSearch = key.toLowerCase() === 'k' && ctrlKey !== metaKey
      if (openDialogsAtom.get().length > 0 || !(isSearch || isSingleKey(event))) return
      const page = performance.now() < goUntil && MENU.flat().find((entry) => entry.key === key)
      goUntil = key === 'g' ? performance.now() + SEQUENCE_MS : 0
      if (isSearch) open('search')
      else if (row) row.focus()
      else if (page) void navigate(page.path)
      else if (key === '?') open('shortcuts')
      else if (key === '/') document.querySelector<HTMLElement>('[data-list-search]')?.focus()
      else return
      event.preventDefault()
    }
    addEventListener('keydown', listener)
    return () => removeEventListener('keydown', listener)
  }, [open, navigate])
}
