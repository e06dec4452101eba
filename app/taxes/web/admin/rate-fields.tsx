import { type InputHTMLAttributes, useId } from 'react'
import { Field } from '#app/shared/web/form/field.tsx'
import { useShop } from '#app/shared/web/use-shop.ts'
import { LONGEST_RATE_NAME, type TaxClass, type TaxRate } from '#app/taxes/admin-contract.ts'
import { ClassSelect } from './class-select.tsx'
import { PlaceFields } from './place-fields.tsx'

/** The reason why a field was refused. */
export type FieldProblem = { field: 'name' | 'rate' | 'validFrom' | 'validTo'; message: string }

type Props = { rate: TaxRate | undefined; classes: TaxClass[]; problem: FieldProblem | null }

/** The fields of a rate. */
export function RateFields({ rate, classes, problem }: Props) {
  const { timeZone } = useShop()
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <CheckedField
        label="Name"
        name="name"
        required
        maxLength={LONGEST_RATE_NAME}
        autoComplete="off"
        placeholder="GST"
        defaultValue={rate?.name}
        problem={problem}
      />
      <CheckedField
        label="Rate in percent"
        name="rate"
        type="number"
        inputMode="decimal"
        required
        min={0}
        max={100}
        step={0.001}
        defaultValue={rate?.rate}
        problem={problem}
      />
      <PlaceFields country={rate?.country ?? null} region={rate?.region ?? null} />
      <CheckedField
        label="First day"
        name="validFrom"
        type="date"
        defaultValue={rate?.validFrom ?? undefined}
        problem={problem}
      />
      <CheckedField
        label="Last day"
        name="validTo"
        type="date"
        defaultValue={rate?.validTo ?? undefined}
        problem={problem}
      />
      <p className="text-base-content/75 text-sm sm:col-span-2">
        Days begin at midnight in {timeZone}. Without a first or last day the rate has no limit.
      </p>
      <div className="sm:col-span-2">
        <ClassSelect
          label="Tax class"
          name="taxClass"
          classes={classes}
          chosen={rate?.taxClass ?? ''}
        />
      </div>
    </div>
  )
}

type FieldProps = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  name: FieldProblem['field']
  problem: FieldProblem | null
}

/** A field with its refusal, if the problem is about it. */
function CheckedField({ problem, ...field }: FieldProps) {
  const id = useId()
  const message = problem?.field === field.name ? problem.message : null
  return (
    <div className="space-y-1.5">
      <Field
        {...field}
        aria-invalid={message !== null}
        aria-describedby={message === null ? undefined : id}
      />
      {message !== null && (
        <p id={id} role="alert" className="font-semibold text-error text-sm">
          {message}
        </p>
      )}
    </div>
  )
}
