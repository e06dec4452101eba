import { useState } from 'react'
import type { Category } from '#app/categories/contract.ts'
import { Dialog } from '#app/shared/web/dialog.tsx'
import {
  ConfirmDiscard,
  UnsavedChangesPrompt,
} from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { MESSAGES } from '#app/shared/web/texts.ts'
import { CategoryForm } from './category-form.tsx'

type Props = { category: Category; save: (name: string) => Promise<void>; onClose: () => void }

/**
 * Renames a category. Cancel closes the dialog (spec §4). Escape and leaving the page ask first
 * when the name was changed.
 */
export function EditCategory({ category, save, onClose }: Props) {
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
