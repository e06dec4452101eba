import { useEffect, useState } from 'react'
import { PrefetchPageLinks, useNavigate } from 'react-router'

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
