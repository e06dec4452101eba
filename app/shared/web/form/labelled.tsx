import { type ReactNode, useId } from 'react'
import { Hint } from './hint.tsx'
import { type ProblemProps, useProblem } from './problem.ts'
import { ProblemText } from './problem-text.tsx'

type Props = {
  label: string
  /** The name of the control in its form, so that it can be told what is wrong with its value. */
  name?: string
  /** A hint for filling in the control. */
  hint?: string
  children: (id: string, problem: ProblemProps) => ReactNode
}

/** A label above the control that takes its id, and below it what is wrong with its value. */
export function Labelled({ label, name, hint, children }: Props) {
  const id = useId()
  const problem = useProblem(name, label, hint && `${id}-hint`)
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      {children(id, problem.props)}
      {hint && <Hint id={`${id}-hint`} text={hint} />}
      <ProblemText {...problem} />
    </div>
  )
}
