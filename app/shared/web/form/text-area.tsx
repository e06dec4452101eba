import type { TextareaHTMLAttributes } from 'react'
import { Labelled } from './labelled.tsx'
import './text-area.css'

type Props = TextareaHTMLAttributes<HTMLTextAreaElement> & {
  label: string
  name: string
  hint?: string
}

/** A field for several lines of text. */
export const TextArea = ({ label, hint, ...area }: Props) => (
  <Labelled label={label} name={area.name} hint={hint}>
    {(id, problem) => (
      <textarea
        {...problem}
        {...area}
        id={id}
        className="input text-area w-full bg-base-200 aria-invalid:border-error"
      />
    )}
  </Labelled>
)
