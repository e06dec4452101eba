import { useState } from 'react'
import { flushSync } from 'react-dom'
import type { CellEdit } from '#app/back-office/kit/grid/grid.client.tsx'
import { CELL_NAMES, type VariantEdit, variantCalls } from '#app/products/variant-contract.ts'
import type { MoneyFormat } from '#app/shared/model/shop-settings.ts'
import { call } from '#app/shared/web/browser-call.ts'
import { CallFailure } from '#app/shared/web/call.ts'
import type { Fields } from '#app/shared/web/form/use-submit.ts'
import {
  afterSave,
  type Draft,
  draftOf,
  editOf,
  type Problem,
  problemsAt,
  problemsIn,
  type Read,
  rebased,
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

/** The draft with the problems of its cells, and the state that was read or saved last. */
function useEdit(loaded: Read, format: MoneyFormat) {
  const [read, setRead] = useState(loaded)
  const [draft, setDraft] = useState(() => draftOf(loaded, format))
  const [problems, setProblems] = useState<Problem[]>([])
  return {
    read,
    draft,
    problems,
    setDraft,
    setProblems,
    /** Puts what is edited on what is stored now. */
    follow: (before: Read, now: Read) => {
      setRead(now)
      setDraft((present) => rebased(present, before, now, format))
    },
    discard: () => {
      setDraft(draftOf(read, format))
      setProblems([])
    },
    write: (edits: CellEdit[]) => {
      setDraft(written(draft, edits))
      const isEdited = ({ row, cell }: Problem) =>
        edits.some((edit) => edit.row === row && edit.column === cell)
      setProblems((present) => present.filter((problem) => !isEdited(problem)))
    },
  }
}

/** The draft of the options and variants of a product, and how it is saved. */
export function useDraft(
  { product, ...loaded }: Read & { product: { _id: string } },
  format: MoneyFormat,
) {
  const { read, draft, problems, setDraft, setProblems, follow, discard, write } = useEdit(
    loaded,
    format,
  )
  const params = { id: product._id }
  const edit = editOf(read, draft, format)
  const refuse = async (error: unknown, sent: VariantEdit) => {
    if (!(error instanceof CallFailure)) return
    // the next save overwrites what the other admin has changed, which is named
    if (error.code === 'stale') follow(read, await call(variantCalls.getVariants, { params }))
    setProblems(problemsAt(sent, error.fields))
  }
  const save = async (field: Fields) => {
    const found = problemsIn(draft, read, format)
    setProblems(found)
    const message = hasNames(draft) ? found[0]?.message : 'Each option and each value needs a name.'
    if (message) throw new CallFailure(400, { message, fields: [] })
    const body = { ...edit, ...(field('reason') && { reason: field('reason') }) }
    const { variants, ...saved } = await call(variantCalls.saveVariants, { params, body }).catch(
      async (error) => {
        await refuse(error, body)
        throw error
      },
    )
    const stored = (answer: typeof variants) => afterSave(read, draft, format, answer)
    // rendered at once, so that the form compares with what is saved
    flushSync(() => follow(stored([]), stored(variants)))
    return saved
  }
  const held = new Map(read.variants.map((variant) => [variant._id, variant.held]))
  return { draft, problems, edit, held, save, change: setDraft, discard, write }
}
