import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import { BusyButton } from '#app/shared/web/busy.tsx'
import { CallFailure } from '#app/shared/web/call.ts'
import { SubmitForm } from '#app/shared/web/form/submit-form.tsx'
import { UnsavedChangesPrompt } from '#app/shared/web/form/unsaved-changes-prompt.tsx'
import { type Fields, useSubmit } from '#app/shared/web/form/use-submit.ts'
import { openDialogsAtom, toast } from '#app/shared/web/toast.tsx'
import { useFormText } from './form-text.ts'
import { Page, type PageProps } from './page.tsx'

type Saved = {
  message: string
  /** The page to go to. */
  to?: string | undefined
}

type Props = PageProps & {
  /** Null: a question was answered by no, and nothing is saved. */
  save: (field: Fields, form: FormData) => Promise<Saved | null>
  /** Shown when a failure has no message of the server's. */
  failed: string
  /** The label of the button that saves. */
  action?: string
  /** More buttons that save: `name` and `value` of the one that was pressed are in the form's data. */
  actions?: ReactNode
  /** A new object: its bar is there before the first change. */
  isNew?: boolean
  /** Reads what is stored now, after an edit conflict. */
  readAgain?: () => Promise<void>
  /** The values that the fields begin with, by their names. */
  values?: object | undefined
  /** Called with what the form would send, after each change of it. */
  onEdit?: (form: FormData) => void
  /** Names what the fields begin with: they begin anew with another one. */
  edition?: string | undefined
  /** Called when the changes are discarded, for values that are not in the fields themselves. */
  onDiscard?: () => void
  /** A failure about a field is shown as a toast, too. */
  toasts?: boolean
  /** Below the form, such as what has a form of its own. */
  after?: ReactNode
}

export const NoteChange = createContext(() => {})

/** The values that the fields of a form begin with, by their names. */
export const FormValues = createContext<object | undefined>(undefined)

/** Notes a change of what the form would send that no field reports, such as an entry that is moved. */
export const useNoteChange = () => use(NoteChange)

/** ⌘S or Ctrl+S, but behind an open dialog. */
function useSaveKey(save: () => void) {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 's' || !(event.metaKey || event.ctrlKey) || event.altKey) return
    event.preventDefault()
    if (openDialogsAtom.get().length === 0) save()
  })
  useEffect(() => {
    const listeners = new AbortController()
    window.addEventListener('keydown', onKeyDown, listeners)
    return () => listeners.abort()
  }, [])
}

/** The edition that the fields begin with: a later one waits while they were edited since their form was sent. */
function useEdition(edition: string | undefined) {
  const editedSince = useRef(false)
  const [begun, setBegun] = useState(edition)
  useEffect(() => {
    if (!editedSince.current) setBegun(edition)
  }, [edition])
  return { begun, editedSince }
}

/**
 * A page with one form. Its bar appears with the first change, and stays in view; leaving with unsaved
 * changes asks first. A refusal is shown at its field, and the form keeps what was entered.
 */
export function FormPage(props: Props) {
  const { save, failed, action = 'Save', actions, isNew = false, readAgain, onDiscard } = props
  const { values, onEdit, edition, toasts, after, children, ...page } = props
  const form = useRef<HTMLFormElement>(null)
  const { text, isChanged, noteFields, noteSent } = useFormText(form)
  const [hasChanges, setHasChanges] = useState(false)
  // the fields begin anew when the changes are discarded, and when what is stored is read again
  const [times, setTimes] = useState(0)
  const { begun, editedSince } = useEdition(edition)
  const [stale, setStale] = useState<CallFailure | null>(null)
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  const { revalidate } = useRevalidator()
  // after the fields are rendered
  const compare = () => {
    editedSince.current = true
    setTimeout(() => {
      setHasChanges(isChanged())
      if (form.current) onEdit?.(new FormData(form.current))
    })
  }
  const submit = useSubmit(
    async (field, sent) => {
      const entered = text()
      editedSince.current = false
      const saved = await save(field, sent).catch((error) => {
        if (readAgain && error instanceof CallFailure && error.code === 'stale') setStale(error)
        throw error
      })
      if (!saved) return
      const { message, to } = saved
      if (editedSince.current) noteSent(entered)
      else noteFields()
      setHasChanges(editedSince.current)
      toast.success(message)
      await (to === undefined ? revalidate() : navigate(to, { state, replace: to === pathname }))
    },
    { failed, refused: revalidate, ...(!toasts && { atFieldOnly: true }) },
  )
  const restart = () => {
    setTimes(times + 1)
    setStale(null)
    for (const { field } of submit.problems) submit.mend(field)
    setTimeout(noteFields)
    compare()
  }
  useSaveKey(() => form.current?.requestSubmit())
  return (
    <Page {...page}>
      {stale && readAgain && (
        <EditConflict
          key={stale.requestId}
          conflict={stale}
          readAgain={() => readAgain().then(restart)}
        />
      )}
      <SubmitForm
        submit={submit}
        ref={form}
        onInput={compare}
        onChange={compare}
        className="space-y-4"
      >
        <NoteChange value={compare}>
          <div key={`${times} ${begun}`} ref={noteFields} className="space-y-4">
            <FormValues value={values}>{children}</FormValues>
          </div>
        </NoteChange>
        {(isNew || hasChanges) && (
          <div className="action-bar justify-end">
            {hasChanges && (
              <p className="me-auto text-base-content/75 max-md:sr-only">Unsaved changes</p>
            )}
            {hasChanges && !isNew && (
              <button
                type="button"
                onClick={() => {
                  onDiscard?.()
                  restart()
                }}
                className="btn btn-ghost"
              >
                Discard
              </button>
            )}
            {/* Enter in a field presses the first button that saves */}
            <BusyButton type="submit" busy={submit.busy} className="btn-primary order-last">
              {action}
            </BusyButton>
            {actions}
          </div>
        )}
      </SubmitForm>
      {after}
      <UnsavedChangesPrompt isChanged={isChanged} />
    </Page>
  )
}

type ConflictProps = { conflict: CallFailure; readAgain: () => Promise<void> }

/** The message of an edit conflict: nothing was overwritten, and the entered values stay. */
function EditConflict({ conflict, readAgain }: ConflictProps) {
  const { busy, form } = useSubmit(readAgain, { failed: 'It could not be loaded.' })
  const element = useRef<HTMLFormElement>(null)
  // the button that was pressed is far below
  useEffect(() => element.current?.focus(), [])
  return (
    <form
      {...form}
      ref={element}
      tabIndex={-1}
      role="alert"
      className="flex flex-wrap items-center justify-between gap-3 rounded-field border border-warning bg-warning/15 p-4"
    >
      <p>{conflict.serverMessage}</p>
      <BusyButton type="submit" busy={busy} className="btn-sm">
        Load it again
      </BusyButton>
    </form>
  )
}
