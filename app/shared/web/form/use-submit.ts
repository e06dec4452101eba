import { type SubmitEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { isRefused, messageOf } from '../call.ts'
import { MESSAGES } from '../messages.ts'
import { toast } from '../toast/toast.ts'
import { type Problem, problemOf } from './problem.ts'

/** The values of a form, by field name. */
export type Fields = (name: string) => string

/** The text fields of a form, without files. */
export const fieldsOf =
  (form: FormData): Fields =>
  (name) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }

/** Focuses the refused field. Returns false when no field shows the problem. */
function focusInvalid(form: HTMLFormElement): boolean {
  const field = form.querySelector<HTMLElement>('[aria-invalid="true"]')
  field?.focus()
  return field !== null
}

type Options = {
  /** Shown when a failure has no message of the server's. */
  failed?: string
  /** Called when the session, or the permission, has ended. */
  refused?: () => void
  /** A failure about a field is shown only there. The forms of the specification show a toast, too. */
  atFieldOnly?: true
}

/**
 * Submits a form, one request at a time. A failure shows a toast, and the form keeps its values. A
 * failure about a field is also shown there by `SubmitForm`, or with `atFieldOnly` only there, and the
 * field is focused.
 */
export function useSubmit(
  send: (fields: Fields, form: FormData) => Promise<void>,
  { failed = MESSAGES.somethingWentWrong, refused, atFieldOnly }: Options = {},
) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const sending = useRef(false)
  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending.current) return
    sending.current = true
    setBusy(true)
    setProblem(null)
    const element = event.currentTarget
    const form = new FormData(element)
    try {
      await send(fieldsOf(form), form)
    } catch (error) {
      const found = problemOf(error, element)
      // rendered now, so that the field can be focused
      flushSync(() => setProblem(found))
      const isAtField = found !== null && focusInvalid(element)
      if (!(atFieldOnly && isAtField)) toast.error(messageOf(error, failed))
      if (isRefused(error)) refused?.()
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  // POST: before hydration a browser would submit the form itself, and must not put it in the URL
  return { busy, problem, form: { onSubmit, method: 'post' } as const }
}
