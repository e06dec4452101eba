/** Fields of the back office. Each begins with its value among those of the form around it. */
import {
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react'
import { Labelled } from '#app/shared/web/form/labelled.tsx'
import { MoneyField } from '#app/shared/web/form/money-field.tsx'
import * as shared from '#app/shared/web/form/select.tsx'
import { TextArea } from '#app/shared/web/form/text-area.tsx'
import { FormValues, useNoteChange } from './form-page.tsx'
import { type Options, optionsOf } from './list-query.ts'

/** The value of the form that a field begins with, by its name, which may be a path such as `address.city`. */
export function useBeginning(name = ''): unknown {
  const values = use(FormValues)
  return name
    .split('.')
    .reduce<unknown>(
      (part, key) => (part instanceof Object ? Reflect.get(part, key) : null),
      values,
    )
}

/** What an uncontrolled control begins with; nothing for one whose value the page keeps. */
function useDefault({ name, value }: { name?: string | undefined; value?: unknown }): {
  defaultValue?: string
} {
  const beginning = useBeginning(name)
  return value === undefined && beginning != null ? { defaultValue: String(beginning) } : {}
}

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'className'> & { label: string }

type FieldProps = InputProps & {
  /** A hint for filling in the field. */
  hint?: string | undefined
  /** The unit of the value, such as `g` or `%`. */
  unit?: string
}

/** An input with its label, its unit, its hint, and what is wrong with its value. */
export function Field({ label, hint, unit, ...input }: FieldProps) {
  const beginning = useDefault(input)
  return (
    <Labelled label={label} name={input.name} hint={hint}>
      {(id, problem) => (
        <span className="input flex w-full items-center gap-2 has-[input:read-only]:opacity-70 has-aria-invalid:border-error">
          <input
            id={id}
            autoComplete="off"
            className="min-w-0 grow"
            {...problem}
            {...beginning}
            {...input}
          />
          {unit && (
            <span aria-hidden="true" className="shrink-0 text-base-content/75">
              {unit}
            </span>
          )}
        </span>
      )}
    </Labelled>
  )
}

type NumberProps = FieldProps & { name: string }

/** A whole number of zero or more by default; the mouse wheel does not change it. */
export const NumberField = (props: NumberProps) => (
  <Field
    type="number"
    step="1"
    min={0}
    onWheel={({ currentTarget }) => currentTarget.blur()}
    {...props}
  />
)

type SelectProps = Omit<ComponentProps<typeof shared.Select>, 'options'> & {
  options: Options
}

/** A select with its label. A value that is no longer a choice stays one, until another is chosen. */
export function Select({ options, ...select }: SelectProps) {
  const beginning = useDefault(select)
  const value = beginning.defaultValue ?? ''
  const choices = optionsOf(options)
  const isKnown = value === '' || choices.some((option) => option.value === value)
  return (
    <shared.Select
      {...beginning}
      {...select}
      options={isKnown ? choices : [...choices, { value, label: value }]}
    />
  )
}

/** A field for several lines of text. */
export const LongText = (area: ComponentProps<typeof TextArea>) => (
  <TextArea {...useDefault(area)} {...area} />
)

/** An amount of money, in the way of the shop's locale. */
export function Money(input: ComponentProps<typeof MoneyField>) {
  const beginning = useBeginning(input.name)
  return (
    <MoneyField {...(typeof beginning === 'number' && { defaultValue: beginning })} {...input} />
  )
}

type HiddenProps = {
  name: string
  value: string
  /** The value of nothing to save, which is no change. */
  unchanged?: string
}

/** A value that is chosen elsewhere, such as a picture: its change is one of the form. */
export function HiddenValue({ name, value, unchanged }: HiddenProps) {
  const noteChange = useEffectEvent(useNoteChange())
  const former = useRef(value)
  useEffect(() => {
    if (former.current === value) return
    former.current = value
    if (value !== unchanged) noteChange()
  }, [value, unchanged])
  return <input type="hidden" name={name} value={value} data-unchanged={unchanged} />
}

/** A day and a time of it, in the shop's time zone. */
export const Moment = (input: FieldProps & { name: string }) => (
  <Field {...input} type="datetime-local" />
)

/** A day, in the shop's time zone. */
export const Day = (input: FieldProps & { name: string }) => <Field {...input} type="date" />

/** A checkbox with its label beside it. */
export function Checkbox({ label, ...input }: InputProps) {
  const beginning = useBeginning(input.name)
  const begin = input.checked === undefined && typeof beginning === 'boolean'
  return (
    <label className="flex items-center gap-3">
      <input
        type="checkbox"
        className="checkbox"
        {...(begin && { defaultChecked: beginning })}
        {...input}
      />
      <span className="wrap-anywhere min-w-0">{label}</span>
    </label>
  )
}

/** Fields beside each other, where there is room. */
export const Row = ({ children }: { children: ReactNode }) => (
  <div className="grid gap-4 sm:grid-cols-2">{children}</div>
)
