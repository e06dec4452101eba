import type { InputHTMLAttributes } from 'react'
import { Labelled } from './labelled.tsx'

type Props = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  /** A hint for filling in the field. */
  hint?: string
}

/** An input with its label above, and below it its hint and what is wrong with its value. */
export const Field = ({ label, hint, ...input }: Props) => (
  <Labelled label={label} name={input.name} hint={hint}>
    {(id, problem) => (
      <input
        id={id}
        className="input w-full bg-base-200 read-only:opacity-70 aria-invalid:border-error"
        // what people type runs in the direction of its first letter
        dir={input.type === undefined || input.type === 'search' ? 'auto' : undefined}
        {...problem}
        {...input}
      />
    )}
  </Labelled>
)
