import { announce } from './announcements.tsx'

/** Focuses the heading of the page, or its main area where it has none. */
export function focusPage() {
  const main = document.getElementById('main')
  const target = main?.querySelector('h1') ?? main
  if (!target) return
  target.tabIndex = -1
  // the router restores the scroll position
  target.focus({ preventScroll: true })
}

/** After navigation to another page: focuses it, and announces its title. */
export function arrive() {
  focusPage()
  announce(document.title)
}
