import { type InputHTMLAttributes, useId } from 'react'
import { Hint } from './hint.tsx'
import { useProblem } from './problem.ts'
import { ProblemText } from './problem-text.tsx'

type Props = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  /** A hint for filling in the field. */
  hint?: string
}

/** An input with its label above, and below it its hint and what is wrong with its value. */
export function Field({ label, hint, ...input }: Props) {
  const id = useId()
  const problem = useProblem(input.name, label, hint && `${id}-hint`)
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      <input
        id={id}
        className="input w-full bg-base-200 read-only:opacity-70 aria-invalid:border-error"
        {...problem.props}
        {...input}
      />
      {hint && <Hint id={`${id}-hint`} text={hint} />}
      <ProblemText {...problem} />
    </div>
  )
}
