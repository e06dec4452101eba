import { useState } from 'react'
import { Checkbox } from '#app/back-office/fields.tsx'
import { PAYMENT_METHODS, type PaymentMethod } from '#app/orders/contract.ts'
import type { PaymentMethodSettings } from '#app/settings/admin-contract.ts'
import { Field } from '#app/shared/web/form/field.tsx'
import { MoneyField, useMoneyFormat } from '#app/shared/web/form/money-field.tsx'
import { parseMoney } from '#app/shared/web/form/money-text.ts'
import { TextArea } from '#app/shared/web/form/text-area.tsx'
import type { ShippingZone } from '#app/shipping/admin-contract.ts'
import { Section } from './section.tsx'
import { controlOf, type Draft, numberIn } from './settings-draft.ts'
import { TextPreview } from './text-fields.tsx'

const TEXTS: Record<PaymentMethod, { noun: string; instructions: string }> = {
  pay_on_delivery: { noun: 'pay on delivery', instructions: 'Instructions' },
  bank_transfer: { noun: 'bank transfer', instructions: 'Bank account and instructions' },
}

type Props = { draft: Draft; zones: ShippingZone[] }

/** The ways to pay without a provider. */
export function PaymentMethodFields({ draft: { settings, change }, zones }: Props) {
  const { paymentMethods } = settings
  return (
    <Section title="Payment methods">
      <p className="text-base-content/75 text-sm">
        An order that is paid in one of these ways is placed unpaid. Enter its money under Orders
        when it has come in.
      </p>
      {PAYMENT_METHODS.map((method) => (
        <MethodFields
          key={method}
          method={method}
          settings={paymentMethods[method]}
          zones={zones}
          onChange={(changes) =>
            change({
              paymentMethods: {
                ...paymentMethods,
                [method]: { ...paymentMethods[method], ...changes },
              },
            })
          }
        />
      ))}
    </Section>
  )
}

type MethodProps = {
  method: PaymentMethod
  settings: PaymentMethodSettings
  zones: ShippingZone[]
  onChange: (changes: Partial<PaymentMethodSettings>) => void
}

/** One way to pay. Its fields stay when it is switched off: one of them may have to be corrected. */
function MethodFields(props: MethodProps) {
  const { method, settings, onChange } = props
  const [isOpen, setOpen] = useState(settings.isOffered)
  return (
    <>
      <Checkbox
        label={`Offer ${TEXTS[method].noun}`}
        name={`paymentMethods.${method}.isOffered`}
        checked={settings.isOffered}
        onChange={({ target }) => {
          setOpen(true)
          onChange({ isOffered: target.checked })
        }}
      />
      {isOpen && <OpenFields {...props} />}
    </>
  )
}

/** Codes of a text, separated by commas or blanks. */
const codesIn = (text: string) =>
  text
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean)

/** Amounts, numbers and codes keep what is typed: one that is half typed is none yet. */
function OpenFields({ method, settings, zones, onChange }: MethodProps) {
  const { noun, instructions } = TEXTS[method]
  const format = useMoneyFormat()
  const nameOf = (part: keyof PaymentMethodSettings) => `paymentMethods.${method}.${part}`
  const amountIn = (text: string) => parseMoney(text, format).amount
  return (
    <fieldset className="grid gap-4 rounded-field border border-base-300 p-4 sm:grid-cols-2">
      <legend className="px-1 font-medium first-letter:uppercase">{noun}</legend>
      <Field
        label="Name for customers"
        {...controlOf(nameOf('name'), settings.name, (name) => onChange({ name }))}
      />
      <MoneyField
        label="Fee"
        hint="Added to the total. Empty: none."
        name={nameOf('fee')}
        defaultValue={settings.fee === 0 ? null : settings.fee}
        onChange={({ target }) => onChange({ fee: amountIn(target.value) ?? 0 })}
      />
      <div className="space-y-2 sm:col-span-2">
        <TextArea
          label={instructions}
          hint="In Markdown: an empty line begins a paragraph. Shown with the order and in its e-mail; the shop adds the reference with the number of the order."
          rows={5}
          {...controlOf(nameOf('instructions'), settings.instructions, (instructions) =>
            onChange({ instructions }),
          )}
        />
        <TextPreview label={`Preview of ${noun}`} text={settings.instructions} />
      </div>
      <MoneyField
        label="Only up to a total of"
        hint="With shipping and tax, without the fee. Empty: no limit."
        name={nameOf('maxTotal')}
        defaultValue={settings.maxTotal}
        onChange={({ target }) => onChange({ maxTotal: amountIn(target.value) })}
      />
      <Field
        label="Days until it is to be paid"
        hint="The order holds its stock. Afterwards the customer gets one reminder, and the order is listed under Payments."
        inputMode="numeric"
        name={nameOf('days')}
        autoComplete="off"
        defaultValue={settings.days}
        onChange={({ target }) => onChange({ days: numberIn(target.value) })}
      />
      <Field
        label="Only in these countries"
        hint="Codes separated by commas, such as IN, LK. Empty: in all."
        name={nameOf('countries')}
        autoComplete="off"
        defaultValue={settings.countries.join(', ')}
        onChange={({ target }) => onChange({ countries: codesIn(target.value) })}
      />
      <RateFields
        name={nameOf('shippingRates')}
        chosen={settings.shippingRates}
        zones={zones}
        onChange={(shippingRates) => onChange({ shippingRates })}
      />
    </fieldset>
  )
}

type RateProps = {
  name: string
  chosen: string[]
  zones: ShippingZone[]
  onChange: (chosen: string[]) => void
}

/** The shipping rates with which a way to pay is offered, also those that are deleted since. */
function RateFields({ name, chosen, zones, onChange }: RateProps) {
  const rates = zones.flatMap((zone) =>
    zone.rates.map(({ _id = '', name }) => ({ _id, label: `${zone.name}: ${name}` })),
  )
  const deleted = chosen
    .filter((id) => rates.every(({ _id }) => _id !== id))
    .map((_id) => ({ _id, label: 'A rate that is deleted' }))
  const all = [...rates, ...deleted]
  if (all.length === 0) return null
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1.5 font-medium text-sm">Only with these shipping rates</legend>
      {all.map(({ _id, label }) => (
        <Checkbox
          key={_id}
          label={label}
          name={name}
          value={_id}
          checked={chosen.includes(_id)}
          onChange={({ target }) =>
            onChange(target.checked ? [...chosen, _id] : chosen.filter((id) => id !== _id))
          }
        />
      ))}
      <p className="text-base-content/75 text-sm">With all rates when none is checked.</p>
    </fieldset>
  )
}
