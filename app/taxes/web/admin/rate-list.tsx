import { DeleteDialog } from '#app/back-office/form-dialog.tsx'
import { DialogButton, RowActions } from '#app/back-office/row-actions.tsx'
import { call } from '#app/shared/web/browser-call.ts'
import { placeName } from '#app/shipping/model.ts'
import {
  STANDARD_CLASS,
  type TaxClass,
  type TaxRate,
  taxAdminCalls,
} from '#app/taxes/admin-contract.ts'
import { RateDialog } from './rate-dialog.tsx'

const titleOf = ({ name, rate }: TaxRate) => `${name} ${rate} %`

function daysOf({ validFrom, validTo }: TaxRate): string {
  if (validFrom && validTo) return `${validFrom} to ${validTo}`
  if (validFrom) return `from ${validFrom}`
  return validTo ? `until ${validTo}` : 'always'
}

const COLUMNS = ['Rate', 'Class', 'Place', 'Valid', 'Actions']

type Props = { rates: TaxRate[]; classes: TaxClass[] }

/** The tax rates, with dialogs to create, edit and delete one. */
export const RateList = ({ rates, classes }: Props) => (
  <section aria-label="Tax rates" className="surface overflow-hidden">
    <div className="flex flex-wrap items-baseline justify-between gap-4 p-4 sm:p-6">
      <h2 className="text-xl">Rates</h2>
      <DialogButton dialog={(close) => <RateDialog classes={classes} onClose={close} />}>
        Add a rate
      </DialogButton>
    </div>
    {rates.length === 0 ? (
      <p className="px-6 pb-10 text-center">There are no rates yet: nothing is taxed.</p>
    ) : (
      <table className="facts table">
        <thead className="bg-base-200/60 text-base-content/75">
          <tr>
            {COLUMNS.map((label) => (
              <th key={label} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rates.map((rate) => (
            <RateRow key={rate._id} rate={rate} classes={classes} />
          ))}
        </tbody>
      </table>
    )}
  </section>
)

function RateRow({ rate, classes }: { rate: TaxRate; classes: TaxClass[] }) {
  const taxClass = classes.find(({ _id }) => _id === rate.taxClass)
  return (
    <tr>
      <td data-label="Rate" id={`rate-${rate._id}`} className="wrap-anywhere">
        {titleOf(rate)}
      </td>
      <td data-label="Class" className="wrap-anywhere">
        {taxClass?.name ?? STANDARD_CLASS}
      </td>
      <td data-label="Place" className="wrap-anywhere">
        {placeName(rate)}
      </td>
      <td data-label="Valid">{daysOf(rate)}</td>
      <td className="col-span-full">
        <RowActions
          object={rate._id}
          describedBy={`rate-${rate._id}`}
          edit={(close) => <RateDialog rate={rate} classes={classes} onClose={close} />}
          remove={(close) => (
            <DeleteDialog
              title={`Delete ${titleOf(rate)}?`}
              remove={() => call(taxAdminCalls.deleteTaxRate, { params: { id: rate._id } })}
              failed="The tax rate could not be deleted."
              onClose={close}
            >
              Orders that were paid keep their tax. To end a rate on a day, edit it and enter its
              last day.
            </DeleteDialog>
          )}
        />
      </td>
    </tr>
  )
}
