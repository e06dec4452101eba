import { type ComponentProps, createContext, type ReactNode, use, useRef, useState } from 'react'
import { useNavigate, useRevalidator } from 'react-router'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { ConfirmDialog } from '#app/shared/web/confirm-dialog.tsx'
import { Dialog } from '#app/shared/web/dialog.tsx'
import { ReasonButton } from '#app/shared/web/form/reason-button.tsx'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import {
  ConfirmDiscard,
  UNASKED,
  UnsavedChangesPrompt,
} from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { type Fields, fieldsOf, useSubmit } from '#app/shared/web/form/use-submit.ts'
import { toast } from '#app/shared/web/toast.tsx'
import { Field } from './fields.tsx'
import { FormValues, NoteChange } from './form-page.tsx'
import { useFormText } from './form-text.ts'
import { Card } from './page.tsx'
import { offerUndo } from './undo.tsx'

/** Closes the dialog around. */
export const CloseDialog = createContext(() => {})

/** Called when the dialog around has made its change. */
export const AfterChange = createContext(() => {})

type Done = { message: string }

/** The result of a change: its message, and how it is taken back, where that is possible. */
export type Changed = Done & {
  undo?: (() => Promise<Done>) | undefined
  /** The message is about a problem that was found. */
  isProblem?: boolean
  /** E-mails are sent when the time to undo is over, so it is not longer under the pointer. */
  mails?: boolean | undefined
}

/**
 * Runs a change, loads the page again, whether it succeeds or not, shows its message and closes its dialog,
 * if it has one. A change that can be taken back offers that for ten seconds. With `to`, a change that
 * succeeds leads to that page instead. Null is no change, and the dialog stays open.
 */
export function useChange(onClose?: () => void, to?: string) {
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const afterChange = use(AfterChange)
  const change = async (run: () => Promise<Changed | null>) => {
    const changed = await (to === undefined ? run().finally(revalidate) : run())
    if (!changed) return
    const { message, undo, isProblem, mails } = changed
    if (undo) offerUndo(message, undo, mails)
    else if (isProblem) toast.error(message)
    else toast.success(message)
    afterChange()
    if (to === undefined) onClose?.()
    else await navigate(to, { state: UNASKED })
  }
  return { change, revalidate }
}

type Props = {
  title: string
  /** Shown when a failure has no message of the server's. */
  failed: string
  /** By default that of the button that opened it. */
  onClose?: () => void
  children: ReactNode
}

type FormProps = Props & {
  /** The label of the button that saves. */
  action: string
  /** The label of the other button. */
  refusal?: string
  /** Null: a question was answered by no, and nothing is saved. */
  save: (field: Fields, form: FormData) => Promise<Changed | null>
  /** Called with the values of the form when one of them changes. */
  onChange?: (field: Fields) => void
  /** The values that the fields begin with, by their names. */
  values?: object | undefined
  /** A failure about a field is shown as a toast, too. */
  toasts?: boolean
}

/**
 * A form in a dialog. A refusal is shown at its field, and the form keeps what was entered. Escape and
 * leaving the page ask first when something was entered.
 */
export function FormDialog(props: FormProps) {
  const { title, action, save, failed, onChange, values, children, toasts } = props
  const close = use(CloseDialog)
  const { onClose = close, refusal = 'Cancel' } = props
  const { change, revalidate } = useChange(onClose)
  const form = useRef<HTMLFormElement>(null)
  const { isChanged } = useFormText(form)
  // how often the question was asked; 0: it is not open
  const [asked, setAsked] = useState(0)
  const submit = useSubmit((field, sent) => change(() => save(field, sent)), {
    failed,
    refused: revalidate,
    ...(!toasts && { atFieldOnly: true }),
  })
  // after the fields are rendered
  const noteChange = () =>
    setTimeout(() => form.current && onChange?.(fieldsOf(new FormData(form.current))))
  const mayClose = () => {
    setAsked(isChanged() ? asked + 1 : 0)
    return !isChanged()
  }
  return (
    <>
      <Dialog title={title} mayClose={mayClose} onClose={onClose}>
        <SubmitForm
          submit={submit}
          ref={form}
          onInput={noteChange}
          onChange={noteChange}
          className="space-y-4"
        >
          <NoteChange value={noteChange}>
            <FormValues value={values}>{children}</FormValues>
          </NoteChange>
          {/* in view under a long form */}
          <div className="sticky bottom-0 flex justify-end gap-2 bg-base-100 py-2">
            <button type="button" onClick={onClose} className="btn">
              {refusal}
            </button>
            <BusyButton type="submit" busy={submit.busy}>
              {action}
            </BusyButton>
          </div>
        </SubmitForm>
      </Dialog>
      {asked > 0 && (
        <ConfirmDiscard
          key={asked}
          onLeave={onClose}
          // a browser may report that a question was closed after the next one is asked
          onStay={() => setAsked((now) => (now === asked ? 0 : now))}
        />
      )}
      <UnsavedChangesPrompt isChanged={isChanged} />
    </>
  )
}

/** A dialog that only shows something. */
export function InfoDialog({
  children,
  ...dialog
}: Omit<ComponentProps<typeof Dialog>, 'onClose'>) {
  const close = use(CloseDialog)
  return (
    <Dialog {...dialog} onClose={close}>
      {children}
      {/* in view under a long content */}
      <div className="sticky bottom-0 flex justify-end bg-base-100 py-2">
        <button type="button" onClick={close} className="btn">
          Close
        </button>
      </div>
    </Dialog>
  )
}

type PromptProps = {
  title: string
  label: string
  hint: string
  onAnswer: () => void
}

/** Asks for any text before the next step; blanks alone are none. */
export function PromptDialog({ title, label, hint, onAnswer }: PromptProps) {
  const close = use(CloseDialog)
  const [text, setText] = useState('')
  const { form } = useSubmit(async () => {
    if (text.trim() !== '') onAnswer()
  })
  return (
    <Dialog title={title} onClose={close}>
      <form {...form} className="space-y-6">
        <Field
          label={label}
          hint={hint}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <div className="flex justify-end gap-2">
          <button type="button" onClick={close} className="btn">
            Cancel
          </button>
          <ReasonButton
            type="submit"
            reason={text.trim() === '' ? 'Enter a text first.' : null}
            className="btn-primary"
          >
            OK
          </ReasonButton>
        </div>
      </form>
    </Dialog>
  )
}

type ConfirmProps = Props & {
  /** The label of the button that confirms. */
  action: string
  /** The label of the other button. */
  refusal?: string
  run: () => Promise<Changed>
  /** Something is lost by it: the button that confirms is red. */
  deletes?: boolean
  /** The page to go to, such as the list of what is deleted. */
  to?: string
}

/** Confirms a change, and makes it. */
export function ChangeDialog({ run, to, ...dialog }: ConfirmProps) {
  const close = use(CloseDialog)
  const { onClose = close } = dialog
  const { change } = useChange(onClose, to)
  return <ConfirmDialog {...dialog} onConfirm={() => change(run)} onClose={onClose} />
}

/** A question of a form before it saves: `ask` waits for the answer to the dialog, which the form renders. */
export function useQuestion(
  question: Pick<ConfirmProps, 'title' | 'action' | 'refusal' | 'children'>,
) {
  const [answer, setAnswer] = useState<((isYes: boolean) => void) | null>(null)
  const close = (isYes: boolean) => {
    setAnswer(null)
    answer?.(isYes)
  }
  return {
    ask: () => new Promise<boolean>((resolve) => setAnswer(() => resolve)),
    dialog: answer && (
      <ConfirmDialog
        {...question}
        onConfirm={async () => close(true)}
        onClose={() => close(false)}
      />
    ),
  }
}

type CardFormProps = Pick<FormProps, 'title' | 'action' | 'failed' | 'children'> & {
  save: (field: Fields) => Promise<Changed>
}

/** A card with a short form, such as that of a new entry of the list below: it is empty again when it is saved. */
export function CardForm({ title, action, save, failed, children }: CardFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const { change, revalidate } = useChange(() => form.current?.reset())
  const submit = useSubmit((field) => change(() => save(field)), { failed, refused: revalidate })
  return (
    <Card title={title}>
      <SubmitForm submit={submit} ref={form} className="flex flex-wrap items-end gap-2">
        <div className="min-w-48 max-w-md flex-1">{children}</div>
        <BusyButton type="submit" busy={submit.busy}>
          {action}
        </BusyButton>
      </SubmitForm>
    </Card>
  )
}
