import { useBeforeUnload, useBlocker } from 'react-router'
import { isSignedIn } from '../browser-call.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'

/** The state of a navigation that does not ask, such as after the object of the page is deleted. */
export const UNASKED = { isUnasked: true }

/**
 * Asks before unsaved changes are lost: by a dialog on navigation, and by the browser's own prompt
 * when the tab closes. After logging out it does not ask, because nothing can be saved.
 */
export function UnsavedChangesPrompt({ isChanged }: { isChanged: () => boolean }) {
  const isLost = () => isSignedIn() && isChanged()
  const { state, proceed, reset } = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      currentLocation.pathname !== nextLocation.pathname &&
      // a step back to a page that was once reached so asks
      (historyAction === 'POP' || !nextLocation.state?.isUnasked) &&
      isLost(),
  )
  useBeforeUnload((event) => {
    if (isLost()) event.preventDefault()
  })
  return state === 'blocked' && <ConfirmDiscard onLeave={proceed} onStay={reset} />
}

type DiscardProps = { onLeave: () => void; onStay: () => void }

/** The dialog of the prompt. */
export const ConfirmDiscard = ({ onLeave, onStay }: DiscardProps) => (
  <ConfirmDialog
    title="Leave without saving?"
    action="Leave"
    refusal="Stay"
    deletes
    onConfirm={async () => onLeave()}
    onClose={onStay}
  >
    What you changed here is not saved yet.
  </ConfirmDialog>
)
