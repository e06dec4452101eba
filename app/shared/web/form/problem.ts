import { createContext, use, useId } from 'react'
import type { FailureCode } from '#app/shared/contract/failure.ts'
import { CallFailure } from '../call.ts'

/** What the server has refused in a form: the name of the field, and why. */
export type Problem = { field: string; message: string }

/** The problem of the form around a field; null when there is none. */
export const FormProblem = createContext<Problem | null>(null)

/** The failures that may be about a field. */
const CODES: FailureCode[] = ['invalid', 'conflict', 'too_large', 'unsupported_media']

const isControl = (element: Element) =>
  element instanceof HTMLInputElement ||
  element instanceof HTMLSelectElement ||
  element instanceof HTMLTextAreaElement

const labelOf = (control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement) =>
  control.ariaLabel ?? control.labels?.[0]?.textContent ?? ''

/**
 * The field that a failure is about: the one that the message begins with, by its name in the API, or
 * else the one with the longest label in the message.
 */
export function problemOf(error: unknown, form: HTMLFormElement): Problem | null {
  if (!(error instanceof CallFailure && error.code && CODES.includes(error.code))) return null
  const message = error.serverMessage ?? ''
  const text = message.toLowerCase()
  const controls = [...form.elements]
    .filter(isControl)
    .map((control) => ({ name: control.name, label: labelOf(control).toLowerCase() }))
    .filter(({ name }) => name !== '')
  const [first] = message.split(/[\s:]/, 1)
  const labelled = controls
    .filter(({ label }) => label !== '' && text.includes(label))
    .sort((one, other) => other.label.length - one.label.length)
  const field = controls.find(({ name }) => name === first)?.name ?? labelled[0]?.name
  return field === undefined ? null : { field, message }
}

/** The attributes of a control whose value may have been refused. */
export type ProblemProps = {
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

/** The message about a field, without the name that it has in the API, and the control's attributes. */
export function useProblem(name: string | undefined, label: string, describedBy?: string) {
  const id = `${useId()}-problem`
  const problem = use(FormProblem)
  const isMine = problem !== null && problem.field === name
  const props: ProblemProps = {
    'aria-invalid': isMine || undefined,
    'aria-describedby':
      [isMine && id, describedBy].filter((one) => typeof one === 'string').join(' ') || undefined,
  }
  const message = isMine ? problem.message.replace(new RegExp(`^${name}\\b`), label) : null
  return { id, message, props }
}
