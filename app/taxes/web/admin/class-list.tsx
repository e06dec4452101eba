import { useState } from 'react'
import { HistoryLink } from '#app/audit/web/history-link.tsx'
import { DeleteDialog, FormDialog } from '#app/back-office/form-dialog.tsx'
import { call } from '#app/shared/web/browser-call.ts'
import { Field } from '#app/shared/web/form/field.tsx'
import { STANDARD_CLASS, type TaxClass, taxAdminCalls } from '#app/taxes/admin-contract.ts'

/** The open dialog: that of a new class, of a class to rename, or of one to delete. */
type Open = { kind: 'new' } | { kind: 'rename' | 'delete'; one: TaxClass } | null

/** The tax classes, with dialogs to create, rename and delete one. */
export function ClassList({ classes }: { classes: TaxClass[] }) {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <section aria-label="Tax classes" className="surface space-y-4 p-4 sm:p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-4">
        <h2 className="text-xl">Classes</h2>
        <button type="button" className="btn btn-sm" onClick={() => setOpen({ kind: 'new' })}>
          Add a class
        </button>
      </div>
      <p className="text-base-content/75 text-sm">
        A class is for products with rates of their own. Products without one are {STANDARD_CLASS}.
      </p>
      <ul className="divide-y divide-base-300">
        {classes.map((one) => (
          <ClassRow
            key={one._id}
            one={one}
            onRename={() => setOpen({ kind: 'rename', one })}
            onDelete={() => setOpen({ kind: 'delete', one })}
          />
        ))}
      </ul>
      {open?.kind === 'new' && <ClassDialog onClose={close} />}
      {open?.kind === 'rename' && <ClassDialog one={open.one} onClose={close} />}
      {open?.kind === 'delete' && (
        <DeleteDialog
          title={`Delete ${open.one.name}?`}
          remove={() => call(taxAdminCalls.deleteTaxClass, { params: { id: open.one._id } })}
          failed="The tax class could not be deleted."
          onClose={close}
        >
          A tax class can only be deleted while no product and no rate has it.
        </DeleteDialog>
      )}
    </section>
  )
}

type RowProps = { one: TaxClass; onRename: () => void; onDelete: () => void }

function ClassRow({ one: { _id, name }, onRename, onDelete }: RowProps) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-2 py-2">
      <span id={`class-${_id}`} className="wrap-anywhere">
        {name}
      </span>
      <span className="flex items-center gap-2">
        <HistoryLink object={_id} describedBy={`class-${_id}`} />
        <button
          type="button"
          aria-describedby={`class-${_id}`}
          onClick={onRename}
          className="btn btn-sm btn-outline border-base-300"
        >
          Rename
        </button>
        <button
          type="button"
          aria-describedby={`class-${_id}`}
          onClick={onDelete}
          className="btn btn-sm btn-ghost text-error"
        >
          Delete
        </button>
      </span>
    </li>
  )
}

const ClassDialog = ({ one, onClose }: { one?: TaxClass; onClose: () => void }) => (
  <FormDialog
    title={one ? `Rename ${one.name}` : 'New tax class'}
    action="Save class"
    failed="The tax class could not be saved."
    save={(field) => {
      const body = { name: field('name') }
      return one
        ? call(taxAdminCalls.updateTaxClass, { params: { id: one._id }, body })
        : call(taxAdminCalls.createTaxClass, { body })
    }}
    onClose={onClose}
  >
    <Field
      label="Name"
      name="name"
      required
      maxLength={100}
      autoComplete="off"
      defaultValue={one?.name}
    />
  </FormDialog>
)
