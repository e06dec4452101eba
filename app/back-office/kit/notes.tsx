import { ConfirmButton, DialogButton } from './dialog-button.tsx'
import { LongText } from './fields.tsx'
import { type Changed, FormDialog } from './form-dialog.tsx'
import { Card, Entries } from './page.tsx'
import { formatTime } from './time.tsx'

type Props = {
  notes: { _id: string; text: string; author: string | null; at: string }[]
  /** What they are about, such as `order 7`. */
  about: string
  /** Shown when there is none. */
  empty: string
  /** Absent where none can be added. */
  add?: ((text: string) => Promise<Changed>) | false
  remove: (id: string) => Promise<Changed>
}

/** The notes of admins on an object. */
export const Notes = ({ notes, about, empty, add, remove }: Props) => (
  <Card
    title="Notes"
    tools={
      add && <DialogButton dialog={<NoteDialog about={about} add={add} />}>Add a note</DialogButton>
    }
  >
    <Entries
      empty={empty}
      entries={notes.map(({ _id, text, author, at }) => ({
        key: _id,
        text: <span id={`note-${_id}`}>{text}</span>,
        note: `${author} · ${formatTime(at)}`,
        end: (
          <ConfirmButton
            label="Delete note"
            title="Delete this note?"
            action="Delete"
            deletes
            run={() => remove(_id)}
            failed="The note could not be deleted."
            button={{
              'aria-describedby': `note-${_id}`,
              className: 'btn btn-sm btn-ghost text-error',
            }}
          >
            {text}
          </ConfirmButton>
        ),
      }))}
    />
  </Card>
)

type DialogProps = { about: string; add: (text: string) => Promise<Changed> }

const NoteDialog = ({ about, add }: DialogProps) => (
  <FormDialog
    title={`Note on ${about}`}
    action="Add note"
    failed="The note could not be added."
    save={(field) => add(field('text'))}
  >
    <LongText label="Note" name="text" rows={4} maxLength={2000} required />
  </FormDialog>
)
