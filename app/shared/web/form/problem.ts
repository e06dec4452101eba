import { createContext, use, useId } from 'react'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import { CallFailure, labelled } from '../call.ts'

/** The refused fields of the form around a field, and how an edited field loses its problem. */
export const FormProblems = createContext<{
  problems: FieldProblem[]
  mend: (field: string) => void
}>({ problems: [], mend: () => {} })

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const isControl = (element: Element): element is Control =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLSelectElement ||
  element instanceof HTMLTextAreaElement

const labelOf = (control: Control) => control.ariaLabel ?? control.labels?.[0]?.textContent ?? ''

type Named = { name: string; label: string; control: Control }

const controlsOf = (form: HTMLFormElement): Named[] =>
  [...form.elements]
    .filter(isControl)
    .map((control) => ({ name: control.name, label: labelOf(control).trim(), control }))
    .filter(({ name, control }) => name !== '' && !control.matches(':disabled'))

/** The refused fields of a failure that have a control in the form, by its label. */
export function problemsOf(error: unknown, form: HTMLFormElement): FieldProblem[] {
  if (!(error instanceof CallFailure)) return []
  const controls = controlsOf(form)
  return error.fields.flatMap((problem) => {
    const named = controls.filter(({ name }) => name === problem.field)
    const label = named.find((one) => one.label !== '')?.label
    return named.length > 0 ? [{ ...problem, message: labelled(problem, label) }] : []
  })
}

function messageFor({ control, label }: Named): string | null {
  const { valueMissing, typeMismatch, badInput, customError } = control.validity
  if (customError) return control.validationMessage
  if (valueMissing) return `${label} is required.`
  if (badInput) return `${label} must be a number.`
  if (typeMismatch) return `${label} is not valid.`
  const min = control instanceof HTMLSelectElement ? 0 : control.minLength
  const { length } = [...control.value]
  return length > 0 && length < min ? `${label} must have at least ${min} characters.` : null
}

/**
 * Problems that the browser finds without the server. `maySend`: nothing else is wrong than values that
 * cannot be read; the call sends NaN for them, which the server refuses with everything else.
 */
export function checkForm(form: HTMLFormElement): {
  problems: FieldProblem[]
  maySend: boolean
} {
  const found = controlsOf(form).flatMap((one) => {
    const message = messageFor(one)
    return message === null ? [] : [{ field: one.name, message, control: one.control }]
  })
  return {
    problems: found.map(({ field, message }) => ({ field, message })),
    maySend: found.every(({ control: { validity } }) => validity.customError),
  }
}

/** The attributes of a control whose value may have been refused. */
export type ProblemProps = {
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** The message about a field, and the attributes of its control. */
export function useProblem(name: string | undefined, describedBy?: string) {
  const id = `${useId()}-problem`
  const { problems } = use(FormProblems)
  const message = problems.find(({ field }) => field === name)?.message ?? null
  const props: ProblemProps = {
    'aria-invalid': message !== null || undefined,
    'aria-describedby':
      [message !== null && id, describedBy].filter((one) => typeof one === 'string').join(' ') ||
      undefined,
  }
  return { id, message, props }
}
