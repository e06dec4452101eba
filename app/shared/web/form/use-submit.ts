import { type SubmitEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import { isRefused, messageOf } from '../call.ts'
import { MESSAGES } from '../texts.ts'
import { toast } from '../toast.tsx'
import { checkForm, problemsOf } from './problem.ts'

/** The values of a form, by field name. */
export type Fields = (name: string) => string

/** The text fields of a form, without files. */
export const fieldsOf =
  (form: FormData): Fields =>
  (name) => {
    const value = form.get(name)
    return typeof value === 'string' ? value : ''
  }

/** The values of some fields of a form, as `field` reads them. */
export const valuesOf = <Name extends string, Value>(
  field: (name: string) => Value,
  ...names: Name[]
) => Object.fromEntries(names.map((name) => [name, field(name)])) as Record<Name, Value>

/** Focuses the first refused field. Returns false when no field shows a problem. */
function focusInvalid(form: HTMLFormElement): boolean {
  const field = form.querySelector<HTMLElement>('[aria-invalid="true"]:not(:disabled)')
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

/** The problems of the form, and those of the server about other fields. */
const merged = (own: FieldProblem[], ofServer: FieldProblem[]) => [
  ...own,
  ...ofServer.filter(({ field }) => own.every((one) => one.field !== field)),
]

/** The refused fields of a form; `mend` takes away the problem of a field. */
function useProblems() {
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const mend = (name: string) =>
    setProblems((present) =>
      present.some(({ field }) => field === name)
        ? present.filter(({ field }) => field !== name)
        : present,
    )
  return { problems, setProblems, mend }
}

/**
 * Submits a form, one request at a time. A failure shows a toast, and the form keeps its values.
 * Everything that is refused is also shown at its field by `SubmitForm`, or with `atFieldOnly` only
 * there, and the first such field is focused. A form without a required or a malformed value is not sent.
 */
export function useSubmit(
  send: (fields: Fields, form: FormData) => Promise<void>,
  { failed = MESSAGES.somethingWentWrong, refused, atFieldOnly }: Options = {},
) {
  const [busy, setBusy] = useState(false)
  const { problems, setProblems, mend } = useProblems()
  const sending = useRef(false)
  const onSubmit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending.current) return
    const element = event.currentTarget
    const own = element.noValidate ? checkForm(element) : { problems: [], maySend: true }
    const showProblems = (found: FieldProblem[]) => {
      // rendered now, so that the field can be focused
      flushSync(() => {
        setBusy(false)
        setProblems(found)
      })
      return found.length > 0 && focusInvalid(element)
    }
    if (!own.maySend) {
      const [first] = own.problems
      if (!showProblems(own.problems) && first) toast.error(first.message)
      return
    }
    sending.current = true
    setBusy(true)
    setProblems([])
    const form = new FormData(element, event.nativeEvent.submitter)
    try {
      await send(fieldsOf(form), form)
    } catch (error) {
      const found = merged(own.problems, problemsOf(error, element))
      const isAtField = showProblems(found)
      if (!(atFieldOnly && isAtField)) toast.error(found[0]?.message ?? messageOf(error, failed))
      if (isRefused(error)) refused?.()
    } finally {
      sending.current = false
      setBusy(false)
    }
  }
  // POST: before hydration a browser would submit the form itself, and must not put it in the URL
  return { busy, problems, mend, form: { onSubmit, method: 'post' } as const }
}
