import { useState } from 'react'
import { useRevalidator } from 'react-router'
import { call } from '#app/shared/web/browser-call.ts'
import { BusyButton } from '#app/shared/web/busy-button.tsx'
import { CallFailure } from '#app/shared/web/call.ts'
import { Dialog } from '#app/shared/web/dialog/dialog.tsx'
import { type Fields, useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast/toast.ts'
import {
  type TaxClass,
  type TaxRate,
  type TaxRateForm,
  taxAdminCalls,
} from '#app/taxes/admin-contract.ts'
import { type FieldProblem, RateFields } from './rate-fields.tsx'

const rateIn = (field: Fields): TaxRateForm => ({
  name: field('name'),
  taxClass: field('taxClass') || null,
  country: field('country'),
  region: field('region') || null,
  rate: Number(field('rate')),
  validFrom: field('validFrom') || null,
  validTo: field('validTo') || null,
})

/** The field that a refusal is about; an overlap is shown at the first day. */
function problemOf(error: unknown): FieldProblem | null {
  if (!(error instanceof CallFailure) || error.serverMessage === null) return null
  const { code, serverMessage: message } = error
  if (code === 'conflict') return { field: 'validFrom', message }
  if (code !== 'invalid') return null
  const field = (['name', 'rate', 'validFrom', 'validTo'] as const).find((name) =>
    message.startsWith(`${name} `),
  )
  return field ? { field, message } : null
}

type Props = {
  /** The rate to edit; undefined for a new one. */
  rate?: TaxRate
  classes: TaxClass[]
  onClose: () => void
}

/** Creates or edits a rate. A refusal is shown at its field, and the form keeps what was entered. */
export function RateDialog({ rate, classes, onClose }: Props) {
  const { revalidate } = useRevalidator()
  const [problem, setProblem] = useState<FieldProblem | null>(null)
  const { busy, form } = useSubmit(
    async (field) => {
      setProblem(null)
      const body = rateIn(field)
      const saving = rate
        ? call(taxAdminCalls.updateTaxRate, { params: { id: rate._id }, body })
        : call(taxAdminCalls.createTaxRate, { body })
      try {
        const { message } = await saving.finally(revalidate)
        toast.success(message)
        onClose()
      } catch (error) {
        const found = problemOf(error)
        if (!found) throw error
        setProblem(found)
      }
    },
    { failed: 'The tax rate could not be saved.', refused: revalidate },
  )
  return (
    <Dialog title={rate ? 'Edit tax rate' : 'New tax rate'} onClose={onClose}>
      <form {...form} className="space-y-6">
        <RateFields rate={rate} classes={classes} problem={problem} />
        <div className="flex justify-end gap-3">
          <button type="button" onClick={onClose} className="btn">
            Cancel
          </button>
          <BusyButton type="submit" busy={busy}>
            Save rate
          </BusyButton>
        </div>
      </form>
    </Dialog>
  )
}
