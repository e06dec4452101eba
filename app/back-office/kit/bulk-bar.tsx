import { type ReactNode, useState } from 'react'
import { pluralize } from '#app/shared/web/texts.ts'
import { AfterChange, CloseDialog } from './form-dialog.tsx'

export type Selection = {
  ids: string[]
  /** The filter of the list, when all entries that match it are selected, also those of other pages. */
  filter: Record<string, string> | null
  count: number
  /** The count with its noun, such as `12 products`. */
  text: string
}

/** A selection as the calls have it. */
export const selected = ({ ids, filter, count }: Omit<Selection, 'text'>) =>
  filter ? { filter, count } : { ids }

export type BulkAction = { label: string; dialog: (selection: Selection) => ReactNode }

type Props = {
  actions: BulkAction[]
  /** The selected entries. */
  ids: string[]
  /** The entries of the whole list. */
  total: number
  what: string
  /** The filter with which the list was loaded. */
  filter: Record<string, string>
  /** All entries of the list are selected. */
  isAll: boolean
  onAll: () => void
  onClear: () => void
}

/** What can be done with the selected entries; their number is always said. */
export function BulkBar({ actions, ids, total, what, filter, isAll, onAll, onClear }: Props) {
  const [dialog, setDialog] = useState<ReactNode>(null)
  const count = isAll ? total : ids.length
  const text = pluralize(count, what, false)
  const selection: Selection = { ids, filter: isAll ? filter : null, count, text }
  return (
    <>
      {ids.length > 0 && (
        <section aria-label="Selection" className="action-bar">
          <p role="status" className="me-auto font-medium">
            {text} selected
          </p>
          {!isAll && total > ids.length && (
            <button type="button" onClick={onAll} className="btn btn-ghost">
              Select all {total.toLocaleString('en-US')}
            </button>
          )}
          {actions.map((action) => (
            <button
              key={action.label}
              type="button"
              onClick={() => setDialog(action.dialog(selection))}
              className="btn"
            >
              {action.label}
            </button>
          ))}
          <button type="button" onClick={onClear} className="btn btn-ghost">
            Clear
          </button>
        </section>
      )}
      <AfterChange value={onClear}>
        <CloseDialog value={() => setDialog(null)}>{dialog}</CloseDialog>
      </AfterChange>
    </>
  )
}
