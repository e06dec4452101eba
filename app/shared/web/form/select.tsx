import type { SelectHTMLAttributes } from 'react'
import { Labelled } from './labelled.tsx'

export type Option = { value: string; label: string }

type Props = SelectHTMLAttributes<HTMLSelectElement> & {
  label: string
  name: string
  hint?: string
  options: readonly Option[]
}

/** A select with its label, its hint and what is wrong with its value. */
export const Select = ({ label, hint, options, ...select }: Props) => (
  <Labelled label={label} name={select.name} hint={hint}>
    {(id, problem) => (
      <select
        {...problem}
        {...select}
        id={id}
        className="input w-full appearance-auto bg-base-200 aria-invalid:border-error"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)
