import type { InputHTMLAttributes } from 'react'

type CheckboxProps = InputHTMLAttributes<HTMLInputElement> & { label: string }

/** A checkbox with its label beside it. */
export const Checkbox = ({ label, ...input }: CheckboxProps) => (
  <label className="flex items-center gap-3">
    <input type="checkbox" className="checkbox" {...input} />
    <span className="wrap-anywhere min-w-0">{label}</span>
  </label>
)
