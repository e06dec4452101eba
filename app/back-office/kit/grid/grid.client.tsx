import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type ClipboardEvent,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { Cell } from './cell.tsx'
import { cellsIn, stepOf } from './keys.ts'

/** A cell of a grid, by the id of its row and the name of its column. */
export type CellAt = { row: string; column: string }

export type CellEdit = CellAt & { text: string }

type GridRow = {
  _id: string
  /** Its name, which stays in view at its start. */
  name: string
  /** The texts of its cells, by column. */
  texts: Record<string, string>
  /** At its end. */
  tail?: ReactNode
}

type GridColumn = Pick<InputHTMLAttributes<HTMLInputElement>, 'inputMode' | 'maxLength'> & {
  name: string
  header: string
  align?: 'end'
  /** The number of characters that are in view. */
  size: number
}

type Props = {
  /** The name of the grid for screen readers. */
  label: string
  /** The headers of the names, and of the ends of rows. */
  headers: { name: string; tail?: string }
  rows: GridRow[]
  columns: readonly GridColumn[]
  onEdit: (edits: CellEdit[]) => void
  /** The problem of a cell. */
  problemOf: (cell: CellAt) => string | undefined
  /** A cell to go to; another object goes there again. */
  target: CellAt | null
}

/** In pixels, as in the style. */
const ROW_HEIGHT = 36

/** Draws the rows in view, and leads the focus to cells that are not drawn yet. */
function useWindow({ rows, columns, target }: Pick<Props, 'rows' | 'columns' | 'target'>) {
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 6,
  })
  const [goal, setGoal] = useState<CellAt | null>(null)
  const goTo = (cell: CellAt, at: number) => {
    virtualizer.scrollToIndex(at)
    setGoal(cell)
  }
  const goToTarget = useEffectEvent((cell: CellAt) =>
    goTo(
      cell,
      rows.findIndex(({ _id }) => _id === cell.row),
    ),
  )
  useEffect(() => {
    if (target) goToTarget(target)
  }, [target])
  const drawn = virtualizer.getVirtualItems()
  /** The cell in this row and column, counted from 0. */
  const cellAt = (at: number, column: number): CellAt | null => {
    const [row, named] = [rows[at], columns[column]]
    return row && named ? { row: row._id, column: named.name } : null
  }
  return {
    scroller,
    drawn,
    above: drawn[0]?.start ?? 0,
    below: virtualizer.getTotalSize() - (drawn.at(-1)?.end ?? 0),
    cellAt,
    isGoal: (cell: CellAt) => goal?.row === cell.row && goal.column === cell.column,
    onReached: () => setGoal(null),
    move: (event: KeyboardEvent<HTMLInputElement>, at: number, column: number) => {
      const step = stepOf(event)
      if (!step) return
      event.preventDefault()
      const cell = cellAt(at + step.down, column + step.right)
      if (cell) goTo(cell, at + step.down)
    },
  }
}

/**
 * Texts in rows and columns that are edited as in a spreadsheet: arrows and Enter move, Escape takes back, and cells
 * that were copied elsewhere are pasted from here on. Only rows in view are drawn.
 */
export function Grid(props: Props) {
  const { label, headers, rows, columns, onEdit, problemOf } = props
  const { scroller, drawn, above, below, cellAt, isGoal, onReached, move } = useWindow(props)
  const paste = (event: ClipboardEvent, at: number, column: number) => {
    const cells = cellsIn(event.clipboardData.getData('text/plain'))
    if (!cells) return
    event.preventDefault()
    onEdit(
      cells.flatMap((texts, down) =>
        texts.flatMap((text, right) => {
          const cell = cellAt(at + down, column + right)
          return cell ? [{ ...cell, text }] : []
        }),
      ),
    )
  }
  return (
    <div ref={scroller} className="grid-scroll">
      <table aria-label={label} aria-rowcount={rows.length + 1} className="grid-list">
        <Headers {...headers} columns={columns} />
        <tbody>
          <tr style={{ height: above }} />
          {drawn.map(({ index: at }) => {
            const row = rows[at]
            if (!row) return null
            return (
              <tr key={row._id} aria-rowindex={at + 2}>
                <th scope="row" className="grid-name">
                  {row.name}
                </th>
                {columns.map(({ name, header, align, ...column }, place) => (
                  <Cell
                    key={name}
                    {...column}
                    label={`${header} of ${row.name}`}
                    text={row.texts[name] ?? ''}
                    problem={problemOf({ row: row._id, column: name })}
                    align={align}
                    isGoal={isGoal({ row: row._id, column: name })}
                    onReached={onReached}
                    onText={(text) => onEdit([{ row: row._id, column: name, text }])}
                    onPaste={(event) => paste(event, at, place)}
                    onKeyDown={(event) => move(event, at, place)}
                  />
                ))}
                {headers.tail && <td>{row.tail}</td>}
              </tr>
            )
          })}
          <tr style={{ height: below }} />
        </tbody>
      </table>
    </div>
  )
}

type HeadersProps = Props['headers'] & Pick<Props, 'columns'>

const Headers = ({ name, tail, columns }: HeadersProps) => (
  <thead>
    <tr>
      <th scope="col" className="grid-name">
        {name}
      </th>
      {columns.map((column) => (
        <th key={column.name} scope="col" className={column.align && 'at-end'}>
          {column.header}
        </th>
      ))}
      {tail && (
        <th scope="col">
          <span className="sr-only">{tail}</span>
        </th>
      )}
    </tr>
  </thead>
)
