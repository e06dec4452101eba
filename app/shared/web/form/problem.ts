import { createContext, use, useId } from 'react'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import { CallFailure } from '../call.ts'

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
    .filter(({ name }) => name !== '')

/** The message with the label of the field in place of the path that it has in the API. */
const labelled = ({ field, message }: FieldProblem, controls: Named[]): FieldProblem => {
  const { label } = controls.find(({ name, label }) => name === field && label !== '') ?? {}
  const said = label ?? field.charAt(0).toUpperCase() + field.slice(1)
  return {
    field,
    message: message.startsWith(`${field} `) ? said + message.slice(field.length) : message,
  }
}

/** The refused fields of a failure that have a control in the form. */
export function problemsOf(error: unknown, form: HTMLFormElement): FieldProblem[] {
  if (!(error instanceof CallFailure)) return []
  const controls = controlsOf(form)
  return error.fields
    .filter(({ field }) => controls.some(({ name }) => name === field))
    .map((one) => labelled(one, controls))
}

function messageFor({ control, label }: Named): string | null {
  const { valueMissing, typeMismatch, badInput, customError } = control.validity
  if (customError) return control.validationMessage
  if (valueMissing) return `${label} is required.`
  if (badInput) return `${label} must be a number.`
  if (typeMismatch) return `${label} is not valid.`
  const least = control instanceof HTMLSelectElement ? 0 : control.minLength
  const { length } = [...control.value]
  return length > 0 && length < least ? `${label} must have at least ${least} characters.` : null
}

/**
 * What can be seen of a form without the server. `maySend`: nothing else is wrong than values that
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
