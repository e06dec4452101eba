import { keepsMessages } from './keeps-messages.ts'

/** It must show the present choice also where it is rendered later than the first page. */
const showPresent = (element: HTMLInputElement | null) => {
  if (element) element.checked = keepsMessages()
}

/**
 * Turns the time limits of messages and redirects off (WCAG 2.2.1 Timing Adjustable). The script in
 * the head of the page hears it by its name, and stores the choice.
 */
export const MessageSwitch = () => (
  <label className="needs-script flex items-center gap-2 text-sm">
    <input
      ref={showPresent}
      type="checkbox"
      name="messages"
      autoComplete="off"
      className="checkbox checkbox-primary checkbox-sm"
    />
    Keep messages open
  </label>
)
