import { useEffect, useEffectEvent, useId, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { categoryPath } from '#app/categories/contract.ts'
import { productPath } from '#app/products/contract.ts'
import {
  MAX_SUGGESTED,
  type Suggestions as Suggested,
  searchCalls,
} from '#app/products/search-contract.ts'
import { href } from '#app/shared/model/href.ts'
import { abortable } from '#app/shared/web/browser-call.ts'
import { Icon, type IconName } from '#app/shared/web/pictures.tsx'
import { useMoney } from '#app/shared/web/use-money.ts'

/** Debounce: a request is sent when typing pauses for this long. */
const PAUSE_MS = 120

/**
 * The suggestions for the text; null when there are none. A new text aborts the previous request,
 * so no late response is shown. Failures are ignored: the form works without suggestions.
 */
function useSuggestions(text: string): Suggested | null {
  const [latest, setLatest] = useState<{ text: string; answer: Suggested } | null>(null)
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

type Item = { key: string; to: string; name: string; note?: string; icon?: IconName }

/** Phrases, then categories, then products. */
function itemsOf(suggested: Suggested | null, money: (price: number) => string): Item[] {
  if (!suggested) return []
  const { phrases, categories, products } = suggested
  return [
    ...phrases.map((name) => {
      const to = `${href('/search')}?${new URLSearchParams({ q: name })}`
      return { key: to, to, name, icon: 'search' as const }
    }),
    ...categories.map((category) => {
      const to = categoryPath(category)
      return { key: to, to, name: category.name, note: 'Category', icon: 'shelves' as const }
    }),
    ...products.map((product) => {
      const to = productPath(product)
      return { key: to, to, name: product.name, note: money(product.price) }
    }),
  ]
}

/** Sets attributes of the field and listens to its keys by effect, because the frame renders it. */
function useField(
  field: HTMLInputElement,
  attributes: Record<string, string | null>,
  press: (event: KeyboardEvent) => void,
) {
  useEffect(() => {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null) field.removeAttribute(name)
      else field.setAttribute(name, value)
    }
    field.addEventListener('keydown', press)
    return () => field.removeEventListener('keydown', press)
  })
}

/**
 * The typed text, whether the list is open, and the index of the active entry (-1 is the field).
 * Navigation closes the list.
 */
function useTyping(field: HTMLInputElement) {
  const { key } = useLocation()
  const [text, setText] = useState('')
  const [openAt, setOpenAt] = useState<string | null>(null)
  const [active, setActive] = useState(-1)
  // the field may be another one by now, with a value that was not typed
  const open = (entry: number) => {
    setText(field.value)
    setActive(entry)
    setOpenAt(key)
  }
  const close = () => setOpenAt(null)
  const events = useEffectEvent((type: string) => (type === 'input' ? open(-1) : close()))
  useEffect(() => {
    const listening = new AbortController()
    const listen = ({ type }: Event) => events(type)
    field.addEventListener('input', listen, listening)
    field.addEventListener('blur', listen, listening)
    field.form?.addEventListener('submit', listen, listening)
    // text typed before this script was loaded
    if (field.value !== field.defaultValue) field.dispatchEvent(new Event('input'))
    return () => listening.abort()
  }, [field])
  return { text, isOpen: openAt === key, open, close, active }
}

/**
 * Suggestions for the search field: a listbox that the arrow keys move through while the focus
 * stays in the field (ARIA combobox pattern). Enter takes the active entry, Escape closes the list.
 */
export function Suggestions({ field }: { field: HTMLInputElement }) {
  const id = useId()
  const navigate = useNavigate()
  const { text, isOpen, open, close, active } = useTyping(field)
  const items = itemsOf(useSuggestions(text), useMoney())
  const expanded = isOpen && items.length > 0
  const present = expanded ? items[active] : undefined
  const walk = (step: number) => {
    const places = items.length + 1
    open(expanded ? ((active + 1 + step + places) % places) - 1 : -1)
  }
  const attributes = {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': String(expanded),
    'aria-controls': id,
    'aria-activedescendant': present ? `${id}-${active}` : null,
  }
  useField(field, attributes, (event) => {
    if (event.isComposing) return
    if (event.key === 'ArrowDown') walk(1)
    else if (event.key === 'ArrowUp') walk(-1)
    else if (event.key === 'Enter' && present) {
      close()
      navigate(present.to)
    } else if (event.key === 'Escape' && expanded) close()
    else return
    event.preventDefault()
  })
  return (
    <>
      <p role="status" className="sr-only">
        {expanded && `${items.length} ${items.length === 1 ? 'suggestion' : 'suggestions'}`}
      </p>
      <div
        id={id}
        role="listbox"
        aria-label="Suggestions"
        hidden={!expanded}
        className="surface absolute inset-x-2 top-full z-40 mt-1 max-h-[60dvh] overflow-y-auto p-2 shadow-xl md:inset-x-0 md:mt-2"
      >
        {items.map((item, at) => (
          <Suggestion
            key={item.key}
            id={`${id}-${at}`}
            item={item}
            isPresent={at === active}
            onTake={close}
          />
        ))}
      </div>
    </>
  )
}

type EntryProps = { id: string; item: Item; isPresent: boolean; onTake: () => void }

/** An entry; it is a link for pointers, and the focus stays in the field. */
function Suggestion({ id, item: { to, name, note, icon }, isPresent, onTake }: EntryProps) {
  return (
    <a
      href={to}
      id={id}
      role="option"
      aria-selected={isPresent}
      tabIndex={-1}
      ref={(entry) => {
        if (isPresent) entry?.scrollIntoView({ block: 'nearest' })
      }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
      className="entry flex items-center gap-3 aria-selected:bg-base-200"
    >
      {icon ? <Icon name={icon} className="size-4 opacity-60" /> : <span className="w-4" />}
      <span className="min-w-0 flex-1 truncate">{name}</span>
      {note && <span className="text-base-content/75 text-sm">{note}</span>}
    </a>
  )
}
