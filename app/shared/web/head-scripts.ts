import { createContext, useEffect } from 'react'

/**
 * The mark of the page's own inline scripts, by which the server finds them and allows them in the
 * Content-Security-Policy. The server removes it from the page, so browsers have none.
 */
export const ScriptMark = createContext<string | undefined>(undefined)

/**
 * Runs in the head of every page, before anything is painted, and applies what the visitor has chosen
 * in this browser: the theme (without a choice, the shop's, `data-scheme` on the root), and whether
 * messages stay. A page is the same bytes for every visitor, so the server cannot do it.
 * It also listens to the switches in the footer, wherever they are rendered, so that pages need no script
 * for them. Sent as its source text, so it uses nothing from outside. Where the storage is blocked, a
 * choice applies until the page is left; a choice in another tab is followed.
 */
export function themeScript() {
  const root = document.documentElement
  const read = (key: string) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const applyTheme = (choice: string | null) => {
    const scheme = choice ?? root.dataset.scheme
    const fixed = scheme === 'light' || scheme === 'dark' ? scheme : null
    if (fixed) root.dataset.theme = fixed
    else delete root.dataset.theme
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[data-scheme]')) {
      const theme = meta.dataset.scheme
      const isShown = fixed === theme ? 'all' : 'not all'
      meta.media = fixed ? isShown : `(prefers-color-scheme: ${theme})`
    }
    for (const select of document.querySelectorAll<HTMLSelectElement>('select[name=theme]'))
      select.value = fixed ?? 'system'
  }
  const applyMessages = (choice: string | null) => {
    if (choice === 'kept') root.dataset.messages = choice
    else delete root.dataset.messages
    for (const box of document.querySelectorAll<HTMLInputElement>('input[name=messages]'))
      box.checked = choice === 'kept'
  }
  const choose = (key: string, choice: string, apply: (choice: string) => void) => {
    try {
      localStorage.setItem(key, choice)
    } catch {}
    apply(choice)
  }
  const applyStored = () => {
    applyTheme(read('theme'))
    applyMessages(read('messages'))
  }
  applyStored()
  document.addEventListener('DOMContentLoaded', applyStored)
  // the settings of the shop may change between two pages
  new MutationObserver(applyStored).observe(root, { attributeFilter: ['data-scheme'] })
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.name === 'theme')
      choose('theme', target.value, applyTheme)
    if (target instanceof HTMLInputElement && target.name === 'messages')
      choose('messages', target.checked ? 'kept' : 'brief', applyMessages)
  })
  addEventListener('storage', applyStored)
}

/**
 * Runs in the head of every page. Keeps what the visitor does before hydration: on a slow phone a button
 * is visible a second before it works. A control that needs scripts is shown as pressed (`data-kept`) at
 * once, and acted on once when `hydrated` is dispatched on the document: buttons without an action of the
 * browser's own, forms that are sent by scripts (`method="post"`), and filters. Links, searches and
 * popovers work without scripts and are left alone, but for links that are right only after hydration
 * (`data-needs-script`). Sent as its source text, so it uses nothing from outside.
 */
export function earlyTapsScript() {
  const actions = new Map<HTMLElement, () => void>()
  const keep = (control: HTMLElement, act: () => void) => {
    control.dataset.kept = ''
    actions.set(control, act)
  }
  const onClick = (event: Event) => {
    const { target } = event
    if (!(target instanceof Element)) return
    const control = target.closest<HTMLElement>(
      'button[type=button]:not([popovertarget]),[data-needs-script]',
    )
    if (!control) return
    event.preventDefault()
    event.stopPropagation()
    keep(control, () => control.click())
  }
  const onSubmit = (event: Event) => {
    const { target: form, submitter } = event as SubmitEvent
    if (!(form instanceof HTMLFormElement) || form.method !== 'post') return
    event.preventDefault()
    // hydration may have been: React would send it, too
    event.stopPropagation()
    keep(submitter ?? form, () => form.requestSubmit(submitter))
  }
  // the browser shows the choice itself; React renders the choice of the address until it is told
  const onChange = ({ target: input }: Event) => {
    if (!(input instanceof HTMLInputElement) || !input.form) return
    if (input.type !== 'checkbox' && input.type !== 'radio') return
    const { checked } = input
    keep(input, () => {
      input.checked = !checked
      input.click()
    })
  }
  const listeners = new AbortController()
  const options = { capture: true, signal: listeners.signal }
  document.addEventListener('click', onClick, options)
  document.addEventListener('submit', onSubmit, options)
  document.addEventListener('change', onChange, options)
  const actOnKept = () => {
    listeners.abort()
    for (const [control, act] of actions) {
      delete control.dataset.kept
      if (control.isConnected) act()
    }
  }
  document.addEventListener('hydrated', actOnKept, { once: true })
}

/** Acts on what was tapped before hydration. */
export function useEarlyTaps() {
  useEffect(() => {
    // a task of its own: stored values, such as the session, are rendered after this effect
    const timer = setTimeout(() => document.dispatchEvent(new Event('hydrated')))
    return () => clearTimeout(timer)
  }, [])
}
