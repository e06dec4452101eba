import { type SubmitEvent, useRef, useState } from 'react'
import { toast } from 'react-hot-toast'
import { CallFailure, said } from '#app/shared/web/call.ts'
import { MESSAGES } from '#app/shared/web/messages.ts'

/** What a form holds, by the names of its fields. */
export type Fields = (name: string) => string

const fieldsOf =
  (form: HTMLFormElement): Fields =>
  (name) => {
    const value = new FormData(form).get(name)
    return typeof value === 'string' ? value : ''
  }

/**
 * Sends a form, one time at a time. What fails is said, and the form keeps its content;
 * `refused` hears when the session has ended.
 */
export function useSubmit(send: (fields: Fields) => Promise<void>, refused = () => {}) {
  const [busy, setBusy] = useState(false)
  const sending = useRef(false)
  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending.current) return
    sending.current = true
    setBusy(true)
    try {
      await send(fieldsOf(event.currentTarget))
    } catch (error) {
      toast.error(said(error, MESSAGES.accountFailed))
      if (error instanceof CallFailure && error.status === 401) refused()
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  // before the page is alive a browser would send the form by itself: never in the address
  return { busy, form: { onSubmit, method: 'post' } as const }
}
