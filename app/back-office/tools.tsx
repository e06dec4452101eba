/** What every page of the back office has: the search in everything, and the shortcuts. Both are loaded when they are used. */
import Keyboard from 'lucide-react/icons/keyboard'
import Search from 'lucide-react/icons/search'
import { atom } from 'nanostores'
import { lazy, Suspense } from 'react'
import { useStore } from '#app/shared/web/storage.ts'
import { useShortcuts } from './shortcuts.ts'

const DIALOGS = {
  search: lazy(() => import('./palette-dialog.tsx')),
  shortcuts: lazy(() => import('./shortcut-list.tsx')),
}

const openAtom = atom<keyof typeof DIALOGS | null>(null)
const close = () => openAtom.set(null)

export const SearchButton = ({ className = '' }: { className?: string }) => (
  <button
    type="button"
    aria-keyshortcuts="Meta+K Control+K"
    onClick={() => openAtom.set('search')}
    className={`btn ${className}`}
  >
    <Search aria-hidden="true" className="size-4" />
    <span className="search-label max-md:sr-only">Search</span>
  </button>
)

export const ShortcutsButton = () => (
  <button type="button" onClick={() => openAtom.set('shortcuts')} className="menu-entry w-full">
    <Keyboard aria-hidden="true" className="size-4" />
    Shortcuts
  </button>
)

/** The open dialog, and the keys that open one. */
export function ToolDialogs() {
  useShortcuts(openAtom.set)
  const open = useStore(openAtom)
  const Shown = open && DIALOGS[open]
  return <Suspense>{Shown && <Shown onClose={close} />}</Suspense>
}
