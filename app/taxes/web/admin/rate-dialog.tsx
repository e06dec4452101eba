import { useRevalidator } from 'react-router'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy-button.tsx'
import { Dialog } from '#app/shared/web/dialog/dialog.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { type Fields, useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast/toast.ts'
import {
  type TaxClass,
  type TaxRate,
  type TaxRateForm,
  taxAdminCalls,
} from '#app/taxes/admin-contract.ts'
import { RateFields } from './rate-fields.tsx'

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

/** Creates or edits a rate. A refusal is shown at its field, and the form keeps what was entered. */
export function RateDialog({ rate, classes, onClose }: Props) {
  const { revalidate } = useRevalidator()
  const submit = useSubmit(
    async (field) => {
      const body = rateIn(field)
      const saving = rate
        ? call(taxAdminCalls.updateTaxRate, { params: { id: rate._id }, body })
        : call(taxAdminCalls.createTaxRate, { body })
      const { message } = await saving.finally(revalidate)
      toast.success(message)
      onClose()
    },
    { failed: 'The tax rate could not be saved.', refused: revalidate, atFieldOnly: true },
  )
  return (
    <Dialog title={rate ? 'Edit tax rate' : 'New tax rate'} onClose={onClose}>
      <SubmitForm submit={submit} className="space-y-6">
        <RateFields rate={rate} classes={classes} />
        <div className="flex justify-end gap-3">
          <button type="button" onClick={onClose} className="btn">
            Cancel
          </button>
          <BusyButton type="submit" busy={submit.busy}>
            Save rate
          </BusyButton>
        </div>
      </SubmitForm>
    </Dialog>
  )
}
