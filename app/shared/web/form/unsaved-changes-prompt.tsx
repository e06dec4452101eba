import { useBeforeUnload, useBlocker } from 'react-router'
import { isSignedIn } from '../browser-call.ts'
import { ConfirmDialog } from '../dialog/confirm-dialog.tsx'

/**
 * Asks before what is not saved is left behind: in the shop with a dialog, and by closing the tab
 * with the browser's own. Who has logged out can save nothing any more, and is not asked.
 */
export function UnsavedChangesPrompt({ isChanged }: { isChanged: () => boolean }) {
  const isLost = () => isSignedIn() && isChanged()
  const { state, proceed, reset } = useBlocker(
    ({ currentLocation, nextLocation }) =>
      currentLocation.pathname !== nextLocation.pathname && isLost(),
  )
  useBeforeUnload((event) => {
    if (isLost()) event.preventDefault()
  })
  return state === 'blocked' && <ConfirmDiscard onLeave={proceed} onStay={reset} />
}

/** The question itself. */
export const ConfirmDiscard = ({
  onLeave,
  onStay,
}: {
  onLeave: () => void
  onStay: () => void
}) => (
  <ConfirmDialog
    title="Leave without saving?"
    action="Leave"
    refusal="Stay"
    onConfirm={async () => onLeave()}
    onClose={onStay}
  >
    What you changed here is not saved yet.
  </ConfirmDialog>
)
