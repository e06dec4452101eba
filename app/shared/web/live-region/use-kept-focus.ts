import { useEffect } from 'react'
import { focusPage } from './focus-page.ts'

/** A part of a page that has a name or a heading, so that a screen reader says where the focus is. */
const NAMED = '[aria-label], [aria-labelledby]'
const SECTION = 'section, article, form, dialog'

const ancestorsOf = (element: Element): Element[] =>
  element.parentElement ? [element, ...ancestorsOf(element.parentElement)] : [element]

/** The innermost part around a removed element that is still there: itself, or its heading. */
function remaining(ancestors: Element[]): HTMLElement | null {
  for (const one of ancestors) {
    if (!(one instanceof HTMLElement && one.isConnected)) continue
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
    // the event that loaded this may have set the focus
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
      target.tabIndex = -1
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
