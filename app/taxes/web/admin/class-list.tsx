import { DeleteDialog, FormDialog } from '#app/back-office/form-dialog.tsx'
import { DialogButton, RowActions } from '#app/back-office/row-actions.tsx'
import { call } from '#app/shared/web/browser-call.ts'
import { Field } from '#app/shared/web/form/field.tsx'
import { STANDARD_CLASS, type TaxClass, taxAdminCalls } from '#app/taxes/admin-contract.ts'

/** The tax classes, with dialogs to create, rename and delete one. */
export const ClassList = ({ classes }: { classes: TaxClass[] }) => (
  <section aria-label="Tax classes" className="surface space-y-4 p-4 sm:p-6">
    <div className="flex flex-wrap items-baseline justify-between gap-4">
      <h2 className="text-xl">Classes</h2>
      <DialogButton dialog={(close) => <ClassDialog onClose={close} />}>Add a class</DialogButton>
    </div>
    <p className="text-base-content/75 text-sm">
      A class is for products with rates of their own. Products without one are {STANDARD_CLASS}.
    </p>
    <ul className="divide-y divide-base-300">
      {classes.map((one) => (
        <li key={one._id} className="flex flex-wrap items-center justify-between gap-2 py-2">
          <span id={`class-${one._id}`} className="wrap-anywhere">
            {one.name}
          </span>
          <RowActions
            object={one._id}
            describedBy={`class-${one._id}`}
            editLabel="Rename"
            edit={(close) => <ClassDialog one={one} onClose={close} />}
            remove={(close) => (
              <DeleteDialog
                title={`Delete ${one.name}?`}
                remove={() => call(taxAdminCalls.deleteTaxClass, { params: { id: one._id } })}
                failed="The tax class could not be deleted."
                onClose={close}
              >
                A tax class can only be deleted while no product and no rate has it.
              </DeleteDialog>
            )}
          />
        </li>
      ))}
    </ul>
  </section>
)

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
