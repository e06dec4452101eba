import X from 'lucide-react/icons/x'
import { type ReactNode, useState } from 'react'
import { Field, Select } from '#app/back-office/kit/fields.tsx'
import { type CellAt, type CellEdit, Grid } from '#app/back-office/kit/grid/grid.client.tsx'
import { Card } from '#app/back-office/kit/page.tsx'
import {
  CELL_LABELS,
  CELL_NAMES,
  type CellName,
  MAX_VARIANTS,
} from '#app/products/variant-contract.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import { countCombinations, missingOf, nameOf, type Problem, type Row, withRows } from './draft.ts'
import type { EditProps } from './options-card.tsx'

type Layout = { size: number; inputMode: 'decimal' | 'numeric' | 'text'; align?: 'end' }

/** How each cell stands in the grid: `size` in characters. */
const LAYOUT: Record<CellName, Layout> = {
  price: { size: 9, inputMode: 'decimal', align: 'end' },
  compareAt: { size: 9, inputMode: 'decimal', align: 'end' },
  quantity: { size: 6, inputMode: 'numeric', align: 'end' },
  weightGrams: { size: 6, inputMode: 'numeric', align: 'end' },
  sku: { size: 12, inputMode: 'text' },
  barcode: { size: 14, inputMode: 'numeric' },
}

const COLUMNS = CELL_NAMES.map((name) => ({
  ...LAYOUT[name],
  name,
  header: CELL_LABELS[name],
  maxLength: 64,
}))

type Props = EditProps & {
  tools: ReactNode
  problems: readonly Problem[]
  /** Texts that were typed, pasted or set. */
  onTexts: (edits: CellEdit[]) => void
}

/** The variants of a product as a spreadsheet: those of the chosen values, or all. */
export default function VariantsCard({ draft, tools, problems, onEdit, onTexts, onLoss }: Props) {
  // the ids of the chosen values, by slot
  const [chosen, choose] = useState<Record<number, string>>({})
  const [target, setTarget] = useState<CellAt | null>(null)
  const shown = draft.rows.filter(({ values }) =>
    draft.options.every(({ slot, values: known }) => {
      const id = known.find(({ _id }) => _id === chosen[slot])?._id
      return id === undefined || values[slot - 1] === id
    }),
  )
  const messages = new Map(problems.map(({ row, cell, message }) => [`${row} ${cell}`, message]))
  const rowOf = (row: Row) => {
    const name = nameOf(draft.options, row)
    return {
      _id: row._id,
      name,
      texts: row.texts,
      tail: draft.rows.length > 1 && (
        <button
          type="button"
          aria-label={`Remove ${name}`}
          className="btn btn-ghost btn-sm btn-square"
          onClick={() =>
            onLoss(name, { ...draft, rows: draft.rows.filter(({ _id }) => _id !== row._id) })
          }
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      ),
    }
  }
  return (
    <Card title={pluralize(draft.rows.length, 'variant', false)} tools={tools}>
      {problems.length > 0 && (
        <div role="alert" className="rounded-field border border-error p-3">
          <ul className="space-y-1">
            {problems.slice(0, 10).map(({ row, cell, message }) => (
              <li key={`${row} ${cell}`}>
                <button
                  type="button"
                  className="link text-start"
                  onClick={() => {
                    choose({})
                    setTarget({ row, column: cell })
                  }}
                >
                  {message}
                </button>
              </li>
            ))}
            {problems.length > 10 && <li>and {problems.length - 10} more</li>}
          </ul>
        </div>
      )}
      <div className="flex flex-wrap items-end gap-3">
        {draft.options.map(({ slot, name, values }) => (
          <div key={slot} className="w-40">
            <Select
              name=""
              label={name}
              value={chosen[slot] ?? ''}
              onChange={({ target }) => choose({ ...chosen, [slot]: target.value })}
              options={[
                { value: '', label: 'All' },
                ...values.map((value) => ({ value: value._id, label: value.name })),
              ]}
            />
          </div>
        ))}
        {draft.rows.length > 1 && <SetAll rows={shown} onTexts={onTexts} />}
      </div>
      <Grid
        label="Variants"
        headers={{ name: 'Variant', ...(draft.rows.length > 1 && { tail: 'Remove' }) }}
        rows={shown.map(rowOf)}
        columns={COLUMNS}
        onEdit={onTexts}
        problemOf={({ row, column }) => messages.get(`${row} ${column}`)}
        target={target}
      />
      <Missing draft={draft} onEdit={onEdit} />
    </Card>
  )
}

/** Sets one cell of all variants that are shown. */
function SetAll({ rows, onTexts }: { rows: Row[] } & Pick<Props, 'onTexts'>) {
  const [cell, setCell] = useState<CellName>('price')
  const [text, setText] = useState('')
  const settable = CELL_NAMES.filter((name) => name !== 'sku' && name !== 'barcode')
  const set = () => {
    onTexts(rows.map(({ _id }) => ({ row: _id, column: cell, text })))
    setText('')
  }
  return (
    <div className="ms-auto flex flex-wrap items-end gap-2">
      <div className="w-40">
        <Select
          name=""
          label="For all that are shown"
          value={cell}
          onChange={({ target }) =>
            setCell(settable.find((name) => name === target.value) ?? 'price')
          }
          options={settable.map((value) => ({ value, label: CELL_LABELS[value] }))}
        />
      </div>
      <div className="w-28">
        <Field
          label="is"
          aria-label={`${CELL_LABELS[cell]} of all that are shown`}
          value={text}
          inputMode="decimal"
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            set()
          }}
        />
      </div>
      <button type="button" className="btn" onClick={set}>
        Set {rows.length}
      </button>
    </div>
  )
}

/** Combinations without a variant, by name, before they are added. */
function Missing({ draft, onEdit }: Pick<Props, 'draft' | 'onEdit'>) {
  const all = countCombinations(draft.options)
  if (all - draft.rows.length > 5 * MAX_VARIANTS || draft.rows.length > MAX_VARIANTS)
    return (
      <p>
        A product has at most {MAX_VARIANTS} variants; these values have{' '}
        {all.toLocaleString('en-US')} combinations.
      </p>
    )
  const missing = missingOf(draft)
  const room = MAX_VARIANTS - draft.rows.length
  if (missing.length === 0) return null
  const added = missing.slice(0, room)
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <details>
        <summary className="cursor-pointer">
          {pluralize(missing.length, 'combination', false)} without a variant
        </summary>
        <ul className="max-h-48 columns-3xs overflow-auto">
          {missing.map((values) => (
            <li key={values.join()}>{nameOf(draft.options, { values })}</li>
          ))}
        </ul>
      </details>
      {added.length > 0 && (
        <button type="button" className="btn" onClick={() => onEdit(withRows(draft, added))}>
          Add {pluralize(added.length, 'variant', false)}
        </button>
      )}
    </div>
  )
}
