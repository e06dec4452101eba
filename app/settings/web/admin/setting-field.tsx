import { type ReactNode, useId } from 'react'

/** The attributes of a control that has a label, a hint and a problem. */
type ControlProps = {
  id: string
  'aria-invalid': boolean
  'aria-describedby': string | undefined
}

type Props = {
  label: string
  hint?: string
  problem: string | undefined
  /** Whether hint and problem are announced when they change. */
  isLive?: boolean
  children: (control: ControlProps) => ReactNode
}

/** A control with its label, its hint, and the sentence that says what is wrong with it. */
export function SettingField({ label, hint, problem, isLive = false, children }: Props) {
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
        <p
          id={`${id}-hint`}
          role={isLive ? 'status' : undefined}
          className="text-base-content/75 text-sm"
        >
          {hint}
        </p>
      )}
      {problem && (
        <p
          id={`${id}-problem`}
          role={isLive ? 'alert' : undefined}
          className="font-semibold text-error text-sm"
        >
          {problem}
        </p>
      )}
    </div>
  )
}

type Choice = { value: string; name: string }

/** The props of a control of a text; `field` of a draft makes value, problem and onChange. */
type TextProps = Omit<Props, 'children' | 'isLive'> & {
  value: string
  onChange: (value: string) => void
}

type InputProps = TextProps & {
  type?: 'email' | 'tel'
  inputMode?: 'numeric'
  autoComplete?: string
  /** Suggested values; others can be typed. */
  choices?: Choice[]
}

export const SettingInput = ({
  value,
  onChange,
  type,
  inputMode,
  autoComplete = 'off',
  choices,
  ...field
}: InputProps) => (
  <SettingField {...field}>
    {(control) => (
      <>
        <input
          {...control}
          type={type}
          inputMode={inputMode}
          value={value}
          list={choices && `${control.id}-choices`}
          onChange={({ target }) => onChange(target.value)}
          autoComplete={autoComplete}
          className="input w-full bg-base-200 aria-invalid:border-error"
        />
        {choices && (
          <datalist id={`${control.id}-choices`}>
            {choices.map(({ value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </datalist>
        )}
      </>
    )}
  </SettingField>
)

export const SettingTextarea = ({
  value,
  onChange,
  rows,
  ...field
}: TextProps & { rows: number }) => (
  <SettingField {...field}>
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

export const SettingSelect = ({
  value,
  onChange,
  choices,
  ...field
}: TextProps & { choices: Choice[] }) => (
  <SettingField {...field}>
    {(control) => (
      <select
        {...control}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        className="select w-full bg-base-200 aria-invalid:border-error"
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.name}
          </option>
        ))}
      </select>
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
