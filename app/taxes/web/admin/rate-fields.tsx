import { Field } from '#app/shared/web/form/field.tsx'
import { useShop } from '#app/shared/web/use-shop.ts'
import { MAX_RATE_NAME, type TaxClass, type TaxRate } from '#app/taxes/admin-contract.ts'
import { ClassSelect } from './class-select.tsx'
import { PlaceFields } from './place-fields.tsx'

type Props = { rate: TaxRate | undefined; classes: TaxClass[] }

/** The fields of a rate. */
export function RateFields({ rate, classes }: Props) {
  const { timeZone } = useShop()
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Name"
        name="name"
        required
        maxLength={MAX_RATE_NAME}
        autoComplete="off"
        placeholder="GST"
        defaultValue={rate?.name}
      />
      <Field
        label="Rate in percent"
        name="rate"
        type="number"
        inputMode="decimal"
        required
        min={0}
        max={100}
        step={0.001}
        defaultValue={rate?.rate}
      />
      <PlaceFields country={rate?.country ?? null} region={rate?.region ?? null} />
      <Field
        label="First day"
        name="validFrom"
        type="date"
        defaultValue={rate?.validFrom ?? undefined}
      />
      <Field
        label="Last day"
        name="validTo"
        type="date"
        defaultValue={rate?.validTo ?? undefined}
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
