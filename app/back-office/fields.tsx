/** Fields of the back office beside those of `shared/web/form`. */
import type { InputHTMLAttributes, SelectHTMLAttributes, TextareaHTMLAttributes } from 'react'
import { Labelled } from '#app/shared/web/form/labelled.tsx'

type Described = { label: string; name: string; hint?: string }

export type Option = { value: string; label: string }

type SelectProps = SelectHTMLAttributes<HTMLSelectElement> & Described & { options: Option[] }

/** A select with its label, its hint and what is wrong with its value. */
export const Select = ({ label, hint, options, ...select }: SelectProps) => (
  <Labelled label={label} name={select.name} hint={hint}>
    {(id, problem) => (
      <select
        {...problem}
        {...select}
        id={id}
        className="select w-full bg-base-200 aria-invalid:border-error"
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

type TextAreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & Described

/** A field for several lines of text. */
export const TextArea = ({ label, hint, ...area }: TextAreaProps) => (
  <Labelled label={label} name={area.name} hint={hint}>
    {(id, problem) => (
      <textarea
        {...problem}
        {...area}
        id={id}
        className="textarea w-full bg-base-200 aria-invalid:border-error"
      />
    )}
  </Labelled>
)

type CheckboxProps = InputHTMLAttributes<HTMLInputElement> & { label: string }

/** A checkbox with its label beside it. */
export const Checkbox = ({ label, ...input }: CheckboxProps) => (
  <label className="flex items-center gap-3">
    <input type="checkbox" className="checkbox" {...input} />
    <span className="wrap-anywhere min-w-0">{label}</span>
  </label>
)
