import { useEffect, useRef } from 'react'
import { BusyButton } from '#app/shared/web/busy.tsx'
import type { CallFailure } from '#app/shared/web/call.ts'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'

type Props = {
  conflict: CallFailure
  /** The label of the button that reads what is stored now. */
  label: string
  readAgain: () => Promise<void>
  /** Shown when that fails without a message of the server's. */
  failed: string
}

/** The message of an edit conflict: nothing was overwritten, and the entered values stay. */
export function EditConflict({ conflict, label, readAgain, failed }: Props) {
  const { busy, form } = useSubmit(readAgain, { failed })
  const element = useRef<HTMLFormElement>(null)
  // the button that was pressed is far below
  useEffect(() => element.current?.focus(), [])
  return (
    <form
      {...form}
      ref={element}
      tabIndex={-1}
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded-field border border-warning bg-warning/15 p-4"
    >
      <p>{conflict.serverMessage}</p>
      <BusyButton type="submit" busy={busy} className="btn-sm">
        {label}
      </BusyButton>
    </form>
  )
}
