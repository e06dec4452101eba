import { Select } from '#app/back-office/fields.tsx'
import { Field } from '#app/shared/web/form/field.tsx'
import { RATE_KINDS, type RateKind } from '#app/shipping/admin-contract.ts'
import { AmountField } from './problem-field.tsx'
import { TierFields } from './tier-fields.tsx'
import { hasTiers, KIND_NAMES, type RateDraft } from './zone-draft.ts'

type Props = {
  rate: RateDraft
  /** Its number in the zone, from 1. */
  number: number
  /** The name of the rate in problems. */
  field: string
  onChange: (rate: RateDraft) => void
  onRemove: () => void
}

const kindOf = (value: string): RateKind => RATE_KINDS.find((kind) => kind === value) ?? 'flat'

/** One rate of a zone. */
export function RateFields({ rate, number, field, onChange, onRemove }: Props) {
  return (
    <fieldset className="rounded-box border border-base-300 p-4">
      <legend className="px-2 font-semibold">Rate {number}</legend>
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <Field
          label="Name"
          name={`${field}.name`}
          hint="Customers see it, such as Standard or Express."
          autoComplete="off"
          value={rate.name}
          onChange={({ target }) => onChange({ ...rate, name: target.value })}
        />
        <Select
          label="Kind"
          name={`${field}.kind`}
          value={rate.kind}
          onChange={({ target }) => onChange({ ...rate, kind: kindOf(target.value) })}
          options={RATE_KINDS.map((kind) => ({ value: kind, label: KIND_NAMES[kind] }))}
        />
        {hasTiers(rate.kind) ? (
          <TierFields
            kind={rate.kind}
            tiers={rate.tiers}
            field={`${field}.tiers`}
            onChange={(tiers) => onChange({ ...rate, tiers })}
          />
        ) : (
          <AmountField
            label="Price"
            field={`${field}.price`}
            {...(rate.kind === 'pickup' && { hint: 'Empty: free.' })}
            value={rate.price}
            onChange={(price) => onChange({ ...rate, price })}
          />
        )}
        {rate.kind !== 'pickup' && (
          <AmountField
            label="Free from"
            field={`${field}.freeFrom`}
            hint="The amount of goods, after discounts, from which it is free. Empty: never."
            value={rate.freeFrom}
            onChange={(freeFrom) => onChange({ ...rate, freeFrom })}
          />
        )}
      </div>
      <button type="button" onClick={onRemove} className="btn btn-ghost btn-sm mt-3 text-error">
        Remove rate
      </button>
    </fieldset>
  )
}
