import { useEffect } from 'react'

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
