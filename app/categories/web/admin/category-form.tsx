import { BusyButton } from '#app/shared/web/busy.tsx'
import { Field } from '#app/shared/web/form/field.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'

type Props = {
  name: string
  onName: (name: string) => void
  save: () => Promise<void>
  /** Shown when a failure has no message of the server's. */
  failed: string
}

/** One field and Submit (spec §2). */
export function CategoryForm({ name, onName, save, failed }: Props) {
  const submit = useSubmit(save, { failed })
  return (
    <SubmitForm submit={submit} className="flex flex-wrap items-start gap-3">
      <div className="min-w-48 flex-1">
        <Field
          label="Category name"
          name="name"
          value={name}
          onChange={({ target }) => onName(target.value)}
          placeholder="Enter new category"
          autoComplete="off"
        />
      </div>
      <BusyButton type="submit" busy={submit.busy} className="btn-primary mt-6.5">
        Submit
      </BusyButton>
    </SubmitForm>
  )
}
