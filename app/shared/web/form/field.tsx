import { type InputHTMLAttributes, useId } from 'react'

type Props = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  /** A hint for filling in the field. */
  hint?: string
}

/** An input with its label above and its hint below. */
export function Field({ label, hint, ...input }: Props) {
  const id = useId()
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      <input
        id={id}
        aria-describedby={hint && `${id}-hint`}
        className="input w-full bg-base-200 read-only:opacity-70"
        {...input}
      />
      {hint && (
        <p id={`${id}-hint`} className="text-base-content/75 text-sm">
          {hint}
        </p>
      )}
    </div>
  )
}
