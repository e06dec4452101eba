import { useState } from 'react'
import type { Category } from '#app/categories/contract.ts'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { Dialog } from '#app/shared/web/dialog.tsx'
import { Field } from '#app/shared/web/form/field.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import {
  ConfirmDiscard,
  UnsavedChangesPrompt,
} from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { useSubmit } from '#app/shared/web/form/use-submit.ts'
import { MESSAGES } from '#app/shared/web/texts.ts'

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

type EditProps = { category: Category; save: (name: string) => Promise<void>; onClose: () => void }

/**
 * Renames a category. Cancel closes the dialog (spec §4). Escape and leaving the page ask first
 * when the name was changed.
 */
export function EditCategory({ category, save, onClose }: EditProps) {
  const [name, setName] = useState(category.name)
  const [isAsking, setAsking] = useState(false)
  const isChanged = () => name !== category.name
  const mayClose = () => {
    setAsking(isChanged())
    return !isChanged()
  }
  return (
    <>
      <Dialog title="Edit category" mayClose={mayClose} onClose={onClose}>
        <CategoryForm
          name={name}
          onName={setName}
          save={() => save(name)}
          failed={MESSAGES.categoryChangeFailed}
        />
        <button type="button" onClick={onClose} className="btn btn-ghost mt-3 w-full">
          Cancel
        </button>
      </Dialog>
      {isAsking && <ConfirmDiscard onLeave={onClose} onStay={() => setAsking(false)} />}
      <UnsavedChangesPrompt isChanged={isChanged} />
    </>
  )
}
