import { type ReactNode, useId } from 'react'
import { type ProblemProps, useProblem } from './problem.ts'

type Props = {
  label: string
  /** The name of the control in its form, so that it can be told what is wrong with its value. */
  name?: string | undefined
  /** A hint for filling in the control. */
  hint?: string | undefined
  children: (id: string, problem: ProblemProps) => ReactNode
}

/** A label above the control that takes its id, and below it its hint and what is wrong with its value. */
export function Labelled({ label, name, hint, children }: Props) {
  const id = useId()
  const problem = useProblem(name, hint && `${id}-hint`)
  return (
    <div className="min-w-0 space-y-1.5">
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      {children(id, problem.props)}
      {hint && (
        <p id={`${id}-hint`} className="text-base-content/75 text-sm">
          {hint}
        </p>
      )}
      <ProblemText {...problem} />
    </div>
  )
}

/** The error message below a control; the control's `aria-describedby` contains `id`. */
export const ProblemText = ({ id, message }: { id: string; message: string | null }) =>
  message !== null && (
    <p id={id} className="wrap-anywhere font-semibold text-error text-sm">
      {message}
    </p>
  )
