import { type ReactNode, useId } from 'react'
import type { Problem } from '#app/shipping/problems-contract.ts'

/** The problem of a field, as the attributes of its control and as the sentence below it. */
type ControlProps = {
  id: string
  'aria-invalid': boolean
  'aria-describedby': string | undefined
}

type Props = {
  label: string
  /** The name of the field in problems. */
  field: string
  problem: Problem | null
  hint?: string
  children: (control: ControlProps) => ReactNode
}

/** A control with its label, its hint, and the sentence that says what is wrong with it. */
export function ProblemField({ label, field, problem, hint, children }: Props) {
  const id = useId()
  const message = problem?.field === field ? problem.message : undefined
  const described = [hint && `${id}-hint`, message && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className="min-w-0 space-y-1.5">
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': message !== undefined,
        'aria-describedby': described || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-base-content/75 text-sm">
          {hint}
        </p>
      )}
      {message && (
        <p id={`${id}-problem`} className="font-semibold text-error text-sm">
          {message}
        </p>
      )}
    </div>
  )
}

type TextProps = Omit<Props, 'children'> & {
  value: string
  onChange: (value: string) => void
  inputMode?: 'decimal' | 'numeric'
}

/** The same with a text input. */
export const ProblemInput = ({ value, onChange, inputMode, ...field }: TextProps) => (
  <ProblemField {...field}>
    {(control) => (
      <input
        {...control}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        inputMode={inputMode}
        autoComplete="off"
        className="input w-full bg-base-200 aria-invalid:border-error"
      />
    )}
  </ProblemField>
)

/** The sentence about a list as a whole, such as one without entries. */
export const ListProblem = ({ field, problem }: Pick<Props, 'field' | 'problem'>) =>
  problem?.field === field && (
    <p role="alert" className="font-semibold text-error text-sm">
      {problem.message}
    </p>
  )
