import { type SubmitEvent, useState } from 'react'
import { Field } from '../form/field.tsx'
import { Dialog } from './dialog.tsx'

type Props = {
  title: string
  label: string
  onAnswer: (text: string) => void
  onClose: () => void
}

/** Prompts for a text; blanks alone count as none. */
export function PromptDialog({ title, label, onAnswer, onClose }: Props) {
  const [text, setText] = useState('')
  const answer = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (text.trim() !== '') onAnswer(text)
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form method="post" onSubmit={answer} className="space-y-6">
        <Field
          label={label}
          value={text}
          onChange={({ target }) => setText(target.value)}
          autoComplete="off"
        />
        <div className="flex justify-end gap-3">
          <button type="button" onClick={onClose} className="btn">
            Cancel
          </button>
          <button type="submit" disabled={text.trim() === ''} className="btn btn-primary">
            OK
          </button>
        </div>
      </form>
    </Dialog>
  )
}
