import { type SubmitEvent, useRef, useState } from 'react'
import { isRefused, messageOf } from '../call.ts'
import { MESSAGES } from '../messages.ts'
import { toast } from '../toast/toast.ts'

/** What a form holds, by the names of its fields. */
export type Fields = (name: string) => string

/** The texts that a form holds; a file is none. */
export const fieldsOf =
  (form: FormData): Fields =>
  (name) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }

type Options = {
  /** What is said of a failure that brings no sentence of the server's. */
  failed?: string
  /** Hears when the session, or the right to do this, has ended. */
  refused?: () => void
}

/** Sends a form, one time at a time. What fails is said, and the form keeps its content. */
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
  // before the page is alive a browser would send the form by itself: never in the address
  return { busy, form: { onSubmit, method: 'post' } as const }
}
