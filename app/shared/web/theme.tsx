/**
 * Whether messages stay until they are closed, and redirects wait: the visitor's choice in the
 * footer, which the script in the head of the page applies. Only in browsers.
 */
export const keepsMessages = () => document.documentElement.dataset.messages === 'kept'

/** Calls the listener when the choice changes; the result ends that. */
export function onMessagesChoice(listener: () => void) {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-messages'] })
  return () => observer.disconnect()
}

/** Shows the present theme, also where the switch is rendered later than the first page. */
const showTheme = (element: HTMLSelectElement | null) => {
  if (element) element.value = document.documentElement.dataset.theme ?? 'system'
}

/**
 * Chooses the theme: that of the operating system, light or dark. The script in the head of the page
 * listens to it by its name, and applies the choice.
 */
export const ThemeSwitch = () => (
  <label className="needs-script flex items-center gap-2 text-sm">
    Theme
    <select
      ref={showTheme}
      name="theme"
      autoComplete="off"
      className="input w-auto appearance-auto"
    >
      <option value="system">System</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  </label>
)

/** Shows the present choice, also where the switch is rendered later than the first page. */
const showChoice = (element: HTMLInputElement | null) => {
  if (element) element.checked = keepsMessages()
}

/**
 * Turns the time limits of messages and redirects off (WCAG 2.2.1 Timing Adjustable). The script in
 * the head of the page listens to it by its name, and stores the choice.
 */
export const MessageSwitch = () => (
  <label className="needs-script flex items-center gap-2 text-sm">
    <input
      ref={showChoice}
      type="checkbox"
      name="messages"
      autoComplete="off"
      className="checkbox checkbox-primary checkbox-sm"
    />
    Keep messages on screen
  </label>
)
