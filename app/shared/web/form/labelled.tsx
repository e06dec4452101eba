import { type ReactNode, useId } from 'react'
import { type ProblemProps, useProblem } from './problem.ts'
import { ProblemText } from './problem-text.tsx'

type Props = {
  label: string
  /** The name of the control in its form, so that it can be told what is wrong with its value. */
  name?: string
  children: (id: string, problem: ProblemProps) => ReactNode
}

/** A label above the control that takes its id, and below it what is wrong with its value. */
export function Labelled({ label, name, children }: Props) {
  const id = useId()
  const problem = useProblem(name, label)
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      {children(id, problem.props)}
      <ProblemText {...problem} />
    </div>
  )
}
