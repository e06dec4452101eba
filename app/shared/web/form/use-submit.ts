import { type SubmitEvent, useRef, useState } from 'react'
import { isRefused, messageOf } from '../call.ts'
import { MESSAGES } from '../messages.ts'
import { toast } from '../toast/toast.ts'

/** The values of a form, by field name. */
export type Fields = (name: string) => string

/** The text fields of a form, without files. */
export const fieldsOf =
  (form: FormData): Fields =>
  (name) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }

type Options = {
  /** Shown when a failure has no message of the server's. */
  failed?: string
  /** Called when the session, or the permission, has ended. */
  refused?: () => void
}

/**
 * Submits a form, one request at a time. A failure shows a toast, and the form keeps its values.
 */
export function useSubmit(
  send: (fields: Fields, form: FormData) => Promise<void>,
  { failed = MESSAGES.somethingWentWrong, refused }: Options = {},
) {
  const [busy, setBusy] = useState(false)
  const sending = useRef(false)
  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending.current) return
    sending.current = true
    setBusy(true)
    const form = new FormData(event.currentTarget)
    try {
      await send(fieldsOf(form), form)
    } catch (error) {
      toast.error(messageOf(error, failed))
      if (isRefused(error)) refused?.()
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  // POST: before hydration a browser would submit the form itself, and must not put it in the URL
  return { busy, form: { onSubmit, method: 'post' } as const }
}
