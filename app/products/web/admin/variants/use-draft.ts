import { useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import type { CellEdit } from '#app/back-office/kit/grid/grid.client.tsx'
import { CELL_NAMES } from '#app/products/variant-contract.ts'
import type { FieldProblem } from '#app/shared/contract/failure.ts'
import type { MoneyFormat } from '#app/shared/model/shop-settings.ts'
import {
  conflictsIn,
  type Draft,
  draftOf,
  editOf,
  lossesIn,
  type Problem,
  problemsAt,
  problemsIn,
  type Read,
  rebased,
  savedAs,
} from './draft.ts'

/** The draft with these texts in its cells. */
function written(draft: Draft, edits: CellEdit[]): Draft {
  const byRow = Map.groupBy(edits, ({ row }) => row)
  return {
    ...draft,
    rows: draft.rows.map((row) => {
      const texts = { ...row.texts }
      for (const { column, text } of byRow.get(row._id) ?? []) {
        const cell = CELL_NAMES.find((name) => name === column)
        if (cell) texts[cell] = text
      }
      return byRow.has(row._id) ? { ...row, texts } : row
    }),
  }
}

const hasNames = ({ options }: Draft) =>
  options.every((option) => [option, ...option.values].every(({ name }) => name.trim() !== ''))

const UNNAMED = 'Each option and each value needs a name.'

const isAmong = (edits: CellEdit[], { row, cell }: Problem) =>
  edits.some((edit) => edit.row === row && edit.column === cell)

const NOTHING: Read = { options: [], variants: [] }

/** The draft, and what it is compared with. What is read again is put under what is edited. */
function useRebased(read: Read | undefined, format: MoneyFormat, begin: () => Draft) {
  const [seen, setSeen] = useState(read)
  /** The state to compare with: as it was read, or as it was sent and not read again yet. */
  const [base, setBase] = useState(read ?? NOTHING)
  const [draft, setDraft] = useState(() => (read ? draftOf(read, format) : begin()))
  const [problems, setProblems] = useState<Problem[]>([])
  const [losses, setLosses] = useState<string[]>([])
  if (read && read !== seen) {
    setSeen(read)
    setBase(read)
    setDraft(rebased(draft, base, read, format))
    setProblems(conflictsIn(draft, base, read, format))
    setLosses(lossesIn(draft, base, read, format))
  }
  /** Begins anew with what was read or saved last. */
  const discard = () => {
    setDraft(read ? draftOf(base, format) : begin())
    setProblems([])
    setLosses([])
  }
  return { base, setBase, draft, setDraft, problems, setProblems, losses, discard }
}

/**
 * The draft of the options and variants of a product. `read` is what is stored, undefined for a new product: when it
 * is read again, what is edited is put on it. `begin` makes the draft that a new product begins with.
 */
export function useDraft(read: Read | undefined, format: MoneyFormat, begin: () => Draft) {
  const { base, setBase, draft, setDraft, problems, setProblems, losses, discard } = useRebased(
    read,
    format,
    begin,
  )
  const edit = useMemo(() => editOf(base, draft, format), [base, draft, format])
  return {
    draft,
    problems,
    /** What could not be kept when the product was read again. */
    losses,
    held: new Map(base.variants.map(({ _id, held }) => [_id, held])),
    change: setDraft,
    /** What the draft changes of what is stored. */
    edit,
    /** What another draft would change. */
    editOf: (one: Draft) => editOf(base, one, format),
    write: (edits: CellEdit[]) => {
      setDraft(written(draft, edits))
      setProblems((present) => present.filter((problem) => !isAmong(edits, problem)))
    },
    /** Checks a draft: its problems, cell by cell, and the message to show for all; null when it can be sent. */
    check: (one: Draft) => {
      const found = problemsIn(one, base, format)
      setProblems(found)
      const message = hasNames(one) ? found[0]?.message : UNNAMED
      return message === undefined ? null : { message, problems: found }
    },
    /** Shows the problems of the server's at their cells. */
    refuse: (one: Draft, fields: FieldProblem[]) =>
      setProblems(problemsAt(editOf(base, one, format), fields)),
    /** The draft was saved, and will be read again. Rendered at once, so that the form compares with it. */
    noteSaved: (sent: Draft) =>
      flushSync(() => {
        setBase(savedAs(sent, base, format))
        // without options it was typed into fields of the form
        const isOfFields = (one: Draft) => one.options.length === 0
        setDraft((now) => (isOfFields(now) && isOfFields(sent) ? sent : now))
      }),
    discard,
    /** A new product was created, and another one begins. Rendered at once, as in `noteSaved`. */
    beginAnew: () => flushSync(() => setDraft(begin())),
  }
}
