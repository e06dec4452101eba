import { type InputHTMLAttributes, useId } from 'react'
import { moneyText, parseMoney } from '#app/shared/model/money-text.ts'
import { Labelled } from './labelled.tsx'
import { useMoneyFormat } from './use-money-format.ts'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'defaultValue' | 'type'> & {
  label: string
  hint?: string
  name: string
  /** In major units. */
  defaultValue?: number | null | undefined
  /** ISO 4217; by default the currency of the shop's prices. */
  currency?: string
}

/**
 * A field for an amount of money, in the way of the shop's locale, with the sign of the currency. In the
 * form's data it is a number such as 4.9, and NaN where it cannot be read: every call refuses that.
 */
export function MoneyField({ label, hint, name, defaultValue, currency, ...input }: Props) {
  const signId = useId()
  const format = useMoneyFormat(currency)
  const [before = '', after = ''] = format.affixes.map((text) => text.trim())
  const check = (element: HTMLInputElement) =>
    element.setCustomValidity(parseMoney(element.value, format).problem ?? '')
  const connect = (element: HTMLInputElement | null) => {
    const form = element?.form
    if (!form) return
    check(element)
    const replace = ({ formData }: FormDataEvent) => {
      if (element.matches(':disabled')) return
      const { amount } = parseMoney(element.value, format)
      formData.set(name, amount === null ? '' : String(amount))
    }
    form.addEventListener('formdata', replace)
    return () => form.removeEventListener('formdata', replace)
  }
  const sign = (
    <span id={signId} className="shrink-0 text-base-content/75">
      {before || after}
    </span>
  )
  return (
    <Labelled label={label} name={name} hint={hint}>
      {(id, { 'aria-describedby': describedBy, ...problem }) => (
        <span className="input flex w-full items-center gap-2 bg-base-200 has-aria-invalid:border-error">
          {before && sign}
          <input
            inputMode="decimal"
            autoComplete="off"
            maxLength={40}
            aria-describedby={[describedBy, signId].filter(Boolean).join(' ')}
            className="min-w-0 grow"
            {...problem}
            {...input}
            id={id}
            name={name}
            ref={connect}
            defaultValue={defaultValue == null ? '' : moneyText(defaultValue, format)}
            onInput={({ currentTarget }) => check(currentTarget)}
          />
          {!before && sign}
        </span>
      )}
    </Labelled>
  )
}
