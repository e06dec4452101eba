import { useState } from 'react'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { DeleteDialog } from '#app/back-office/form-dialog.tsx'
import { call } from '#app/shared/web/browser-call.ts'
import { placeName } from '#app/shipping/model.ts'
import {
  STANDARD_CLASS,
  type TaxClass,
  type TaxRate,
  taxAdminCalls,
} from '#app/taxes/admin-contract.ts'
import { RateDialog } from './rate-dialog.tsx'

/** The open dialog: that of a new rate, of a rate to edit, or of one to delete. */
type Open = { kind: 'new' } | { kind: 'edit' | 'delete'; rate: TaxRate } | null

const titleOf = ({ name, rate }: TaxRate) => `${name} ${rate} %`

function daysOf({ validFrom, validTo }: TaxRate): string {
  if (validFrom && validTo) return `${validFrom} to ${validTo}`
  if (validFrom) return `from ${validFrom}`
  return validTo ? `until ${validTo}` : 'always'
}

type Props = { rates: TaxRate[]; classes: TaxClass[] }

/** The tax rates, with dialogs to create, edit and delete one. */
export function RateList({ rates, classes }: Props) {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <section aria-label="Tax rates" className="surface overflow-hidden">
      <div className="flex flex-wrap items-baseline justify-between gap-4 p-4 sm:p-6">
        <h2 className="text-xl">Rates</h2>
        <button type="button" className="btn btn-sm" onClick={() => setOpen({ kind: 'new' })}>
          Add a rate
        </button>
      </div>
      {rates.length === 0 ? (
        <p className="px-6 pb-10 text-center">There are no rates yet: nothing is taxed.</p>
      ) : (
        <RateTable rates={rates} classes={classes} onOpen={setOpen} />
      )}
      {open?.kind === 'new' && <RateDialog classes={classes} onClose={close} />}
      {open?.kind === 'edit' && <RateDialog rate={open.rate} classes={classes} onClose={close} />}
      {open?.kind === 'delete' && (
        <DeleteDialog
          title={`Delete ${titleOf(open.rate)}?`}
          remove={() => call(taxAdminCalls.deleteTaxRate, { params: { id: open.rate._id } })}
          failed="The tax rate could not be deleted."
          onClose={close}
        >
          Orders that were paid keep their tax. To end a rate on a day, edit it and enter its last
          day.
        </DeleteDialog>
      )}
    </section>
  )
}

const COLUMNS = ['Rate', 'Class', 'Place', 'Valid', 'Actions']

function RateTable({ rates, classes, onOpen }: Props & { onOpen: (open: Open) => void }) {
  const classNames = new Map(classes.map(({ _id, name }) => [_id, name]))
  return (
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
          <tr key={rate._id}>
            <td data-label="Rate" id={`rate-${rate._id}`} className="wrap-anywhere">
              {titleOf(rate)}
            </td>
            <td data-label="Class" className="wrap-anywhere">
              {rate.taxClass === null ? STANDARD_CLASS : classNames.get(rate.taxClass)}
            </td>
            <td data-label="Place" className="wrap-anywhere">
              {placeName(rate)}
            </td>
            <td data-label="Valid">{daysOf(rate)}</td>
            <td className="col-span-full">
              <RateActions rate={rate} onOpen={onOpen} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function RateActions({ rate, onOpen }: { rate: TaxRate; onOpen: (open: Open) => void }) {
  const describedBy = `rate-${rate._id}`
  return (
    <div className="flex items-center gap-2">
      <HistoryLink object={rate._id} describedBy={describedBy} />
      <button
        type="button"
        aria-describedby={describedBy}
        onClick={() => onOpen({ kind: 'edit', rate })}
        className="btn btn-sm btn-outline border-base-300"
      >
        Edit
      </button>
      <button
        type="button"
        aria-describedby={describedBy}
        onClick={() => onOpen({ kind: 'delete', rate })}
        className="btn btn-sm btn-ghost text-error"
      >
        Delete
      </button>
    </div>
  )
}
