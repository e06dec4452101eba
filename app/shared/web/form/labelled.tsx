import { type ReactNode, useId } from 'react'

type Props = { label: string; children: (id: string) => ReactNode }

/** A label above the control that takes its id. */
export function Labelled({ label, children }: Props) {
  const id = useId()
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      {children(id)}
    </div>
  )
}
