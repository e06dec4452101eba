import { FormDialog } from '#app/back-office/form-dialog.tsx'
import { call } from '#app/shared/web/browser-call.ts'
import { Field } from '#app/shared/web/form/field.tsx'
import type { Fields } from '#app/shared/web/form/use-submit.ts'
import { useShop } from '#app/shared/web/shop.ts'
import { PlaceFields } from '#app/shipping/web/admin/place-fields.tsx'
import {
  MAX_RATE_NAME,
  type TaxClass,
  type TaxRate,
  type TaxRateForm,
  taxAdminCalls,
} from '#app/taxes/admin-contract.ts'
import { ClassSelect } from './class-select.tsx'

const rateIn = (field: Fields): TaxRateForm => ({
  name: field('name'),
  taxClass: field('taxClass') || null,
  country: field('country'),
  region: field('region') || null,
  rate: Number(field('rate')),
  validFrom: field('validFrom') || null,
  validTo: field('validTo') || null,
})

type Props = {
  /** The rate to edit; undefined for a new one. */
  rate?: TaxRate
  classes: TaxClass[]
  onClose: () => void
}

/** Creates or edits a rate. */
export const RateDialog = ({ rate, classes, onClose }: Props) => (
  <FormDialog
    title={rate ? 'Edit tax rate' : 'New tax rate'}
    action="Save rate"
    failed="The tax rate could not be saved."
    save={(field) => {
      const body = rateIn(field)
      return rate
        ? call(taxAdminCalls.updateTaxRate, { params: { id: rate._id }, body })
        : call(taxAdminCalls.createTaxRate, { body })
    }}
    onClose={onClose}
  >
    <RateFields rate={rate} classes={classes} />
  </FormDialog>
)

function RateFields({ rate, classes }: { rate: TaxRate | undefined; classes: TaxClass[] }) {
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
      <PlaceFields place={rate} none="Select a country" required />
      <Field label="First day" name="validFrom" type="date" defaultValue={rate?.validFrom ?? ''} />
      <Field label="Last day" name="validTo" type="date" defaultValue={rate?.validTo ?? ''} />
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
