/**
 * Runs in the head of every page, before anything is painted, and applies what the visitor has chosen
 * in this browser: the theme (without a choice, the shop's, `data-scheme` on the root), and whether
 * messages stay. A page is the same bytes for every visitor, so the server cannot do it.
 * It also hears the switches in the footer, wherever they are rendered, so that pages need no script
 * for them. Sent as its source text, so it uses nothing from outside. Where the storage is blocked, a
 * choice holds until the page is left; a choice in another tab is followed.
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
