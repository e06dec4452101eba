import { type ReactNode, useId } from 'react'
import type { Choice } from './choices.ts'

/** The attributes of a control that has a label, a hint and a problem. */
export type ControlProps = {
  id: string
  'aria-invalid': boolean
  'aria-describedby': string | undefined
}

type Props = {
  label: string
  hint?: string | undefined
  problem: string | undefined
  children: (control: ControlProps) => ReactNode
}

/** A control with its label, its hint, and the sentence that says what is wrong with it. */
export function SettingField({ label, hint, problem, children }: Props) {
  const id = useId()
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className="min-w-0 space-y-1.5">
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': problem !== undefined,
        'aria-describedby': described || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-base-content/75 text-sm">
          {hint}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} className="font-semibold text-error text-sm">
          {problem}
        </p>
      )}
    </div>
  )
}

type InputProps = Omit<Props, 'children'> & {
  value: string
  onChange: (value: string) => void
  type?: 'email' | 'tel' | 'text'
  inputMode?: 'numeric'
  autoComplete?: string
  /** Suggested values; others can be typed. */
  choices?: Choice[]
}

/** The same with a text input. */
export const SettingInput = ({
  label,
  hint,
  problem,
  onChange,
  autoComplete = 'off',
  choices,
  ...input
}: InputProps) => (
  <SettingField label={label} hint={hint} problem={problem}>
    {(control) => (
      <>
        <input
          {...control}
          {...input}
          list={choices && `${control.id}-choices`}
          onChange={({ target }) => onChange(target.value)}
          autoComplete={autoComplete}
          className="input w-full bg-base-200 aria-invalid:border-error"
        />
        {choices && (
          <datalist id={`${control.id}-choices`}>
            {choices.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </datalist>
        )}
      </>
    )}
  </SettingField>
)

type TextareaProps = Omit<Props, 'children'> & {
  value: string
  onChange: (value: string) => void
  rows: number
}

/** The same with several lines. */
export const SettingTextarea = ({ label, hint, problem, value, onChange, rows }: TextareaProps) => (
  <SettingField label={label} hint={hint} problem={problem}>
    {(control) => (
      <textarea
        {...control}
        rows={rows}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="textarea w-full bg-base-200 aria-invalid:border-error"
      />
    )}
  </SettingField>
)

/** A part of the form with its heading. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId()
  return (
    <section aria-labelledby={id} className="surface space-y-4 p-4 sm:p-6">
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {children}
    </section>
  )
}
