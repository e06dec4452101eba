import { type ComponentProps, useEffect, useRef, useState } from 'react'
import { PrefetchPageLinks, useLocation, useNavigate, useNavigation } from 'react-router'
import { announce } from './toast.tsx'

/** A pointer or the focus has to stay this long on a link before its page is prefetched. */
const INTENT_MS = 100
const INTENT_EVENTS = ['mouseover', 'focusin', 'touchstart']

/** The link of an event, if it leads to a page of this shop. */
function pageLinkOf({ target }: Event): HTMLAnchorElement | null {
  const link = target instanceof Element ? target.closest('a') : null
  if (link?.origin !== window.location.origin) return null
  const isOther = link.target !== '' || link.hasAttribute('download')
  // a jump within the page is left to the browser
  return isOther || link.getAttribute('href')?.startsWith('#') ? null : link
}

const pathOf = ({ pathname, search, hash }: HTMLAnchorElement | Location) =>
  pathname + search + hash

/** Whether a click opens the link in this tab. */
const opensHere = ({ metaKey, altKey, ctrlKey, shiftKey }: MouseEvent) =>
  !(metaKey || altKey || ctrlKey || shiftKey)

/**
 * Client-side navigation for every `<a href>` of the shop, by listeners on the document.
 * `data-prefetch` loads the page's scripts when a click is likely; `data-prevent-scroll-reset`
 * keeps the scroll position. React Router's `Link` does the same with hooks in each link, which
 * costs a server-rendered page more than its HTML; it is for links with `state`, and for relative ones.
 */
export function LinkNavigation() {
  const navigate = useNavigate()
  const [prefetched, setPrefetched] = useState<string | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const prefetch = (event: Event) => {
      clearTimeout(timer)
      const link = pageLinkOf(event)
      if (link && 'prefetch' in link.dataset)
        timer = setTimeout(setPrefetched, INTENT_MS, pathOf(link))
    }
    const follow = (event: MouseEvent) => {
      const link = !event.defaultPrevented && opensHere(event) && pageLinkOf(event)
      if (!link) return
      event.preventDefault()
      const to = pathOf(link)
      void navigate(to, {
        replace: to === pathOf(window.location),
        preventScrollReset: 'preventScrollReset' in link.dataset,
      })
    }
    const listeners = new AbortController()
    for (const name of INTENT_EVENTS) document.addEventListener(name, prefetch, listeners)
    document.addEventListener('click', follow, listeners)
    return () => listeners.abort()
  }, [navigate])
  return prefetched && <PrefetchPageLinks page={prefetched} />
}

/** A link of a menu; `aria-current` marks the link to the current page. */
export function NavLink(props: ComponentProps<'a'> & { href: string }) {
  const { pathname } = useLocation()
  return <a aria-current={props.href === pathname ? 'page' : undefined} {...props} />
}

/** A progress bar at the top of the window during navigation. */
export function NavigationProgress() {
  const busy = useNavigation().state !== 'idle'
  return (
    <div className="pointer-events-none fixed inset-x-0 top-0 z-50 h-1">
      {busy && <div className="h-full origin-left animate-progress bg-primary" />}
    </div>
  )
}

/** Quicker navigations are not announced. */
const SLOW_MS = 700

/** Announces that a page is loading, when that takes time. */
export function useSlowNavigation() {
  const busy = useNavigation().state !== 'idle'
  useEffect(() => {
    if (!busy) return
    const timer = setTimeout(() => announce('Loading the page'), SLOW_MS)
    return () => clearTimeout(timer)
  }, [busy])
}

/** Focuses the heading of the page, or its main area where it has none. */
function focusPage() {
  const main = document.getElementById('main')
  const target = main?.querySelector('h1') ?? main
  if (!target) return
  target.tabIndex = -1
  // the router restores the scroll position
  target.focus({ preventScroll: true })
}

/**
 * Moves the focus to the heading after navigation to another page and announces the page's title, for
 * keyboards and screen readers. Navigation on the same page does not move the focus.
 */
export function useFocusOnNavigation() {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    focusPage()
    announce(document.title)
  }, [pathname])
}

/** A part of a page that has a name or a heading, so that a screen reader says where the focus is. */
const NAMED = '[aria-label], [aria-labelledby]'
const SECTION = 'section, article, form, dialog'

const ancestorsOf = (element: Element): Element[] =>
  element.parentElement ? [element, ...ancestorsOf(element.parentElement)] : [element]

/**
 * The innermost part around a removed element that is still there: itself, or its heading. In a form it is
 * the field that took the place of the removed one.
 */
function remaining(ancestors: Element[]): HTMLElement | null {
  const name = ancestors[0]?.getAttribute('name')
  for (const one of ancestors) {
    if (!(one instanceof HTMLElement && one.isConnected)) continue
    const field = name && one instanceof HTMLFormElement ? one.elements.namedItem(name) : null
    if (field instanceof HTMLElement) return field
    if (one.matches(NAMED)) return one
    const heading = one.matches(SECTION) ? one.querySelector('h1, h2, h3, legend') : null
    if (heading instanceof HTMLElement) return heading
  }
  return null
}

/**
 * Keeps the focus in the page when the element that has it is removed, such as the button of a deleted
 * row: the part of the page around it is focused. Browsers would return to the top of the document.
 */
export function useKeptFocus() {
  useEffect(() => {
    let ancestors = document.activeElement ? ancestorsOf(document.activeElement) : []
    const note = ({ target }: FocusEvent) => {
      ancestors = target instanceof Element ? ancestorsOf(target) : []
    }
    const restore = () => {
      const [focused] = ancestors
      if (!focused || focused.isConnected || document.activeElement !== document.body) return
      const target = remaining(ancestors)
      ancestors = []
      if (!target) return focusPage()
      if (target.tabIndex < 0) target.tabIndex = -1
      target.focus({ preventScroll: true })
    }
    // after a dialog or a navigation has set the focus
    const observer = new MutationObserver(() => requestAnimationFrame(restore))
    document.addEventListener('focusin', note)
    observer.observe(document.body, { childList: true, subtree: true })
    return () => {
      document.removeEventListener('focusin', note)
      observer.disconnect()
    }
  }, [])
}
