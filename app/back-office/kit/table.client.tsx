import {
  type ColumnDef,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import { Fragment, type KeyboardEvent, type MouseEvent, type ReactNode, useMemo } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useMoney } from '#app/shared/web/use-money.ts'
import { withChoices } from './list-query.ts'
import { formatTime, Time } from './time.tsx'

export type Item = { _id: string }

export type Column<One extends Item> = {
  header: string
  /** The content of a cell; by default its `at`, or its `csv`, which in the title of a phone's row is a link to its page. */
  cell?: (item: One) => ReactNode
  /** A time, shown in the shop's zone. */
  at?: (item: One) => string
  /** An amount in major units, and its currency. */
  money?: (item: One) => readonly [amount: number, currency: string]
  /** The value of the call's `sort` that orders by this column, ascending. */
  sort?: string
  /** Numbers and money. */
  align?: 'end'
  /** What the CSV contains, by default its `at` or its amount; a column without any is left out there. */
  csv?: (item: One) => string | number
  /** The table does not show it. */
  isOnlyInCsv?: boolean
  /** Its place in the two lines of a phone's row; `line` by default. */
  phone?: 'title' | 'end' | 'line' | 'break' | 'none'
}

/** What the CSV contains of a column. */
export const csvOf = <One extends Item>({ csv, at, money }: Column<One>) =>
  csv ?? (at && ((item: One) => formatTime(at(item)))) ?? (money && ((item: One) => money(item)[0]))

/** Columns of money show it in the way of the shop's locale, at their end. */
function useColumns<One extends Item>(columns: readonly Column<One>[]): Column<One>[] {
  const format = useMoney()
  return columns.filter(isShown).map((column) => {
    const { money } = column
    return money ? { align: 'end', cell: (item) => format(...money(item)), ...column } : column
  })
}

/** What a cell shows. */
function contentOf<One extends Item>(
  column: Column<One>,
  item: One,
  open: TableProps<One>['open'],
) {
  const { cell, at, csv, align, phone } = column
  if (cell) return cell(item)
  if (at) return <Time at={at(item)} className="whitespace-nowrap" />
  const value = csv?.(item)
  const text = typeof value === 'number' ? value.toLocaleString('en-US') : value
  if (phone !== 'title' || !open)
    return align || text === '' ? text : <span className="wrap-anywhere">{text}</span>
  return (
    <a href={open(item)} className="link link-hover wrap-anywhere font-medium">
      {text}
    </a>
  )
}

const features = tableFeatures({ rowSelectionFeature, rowSortingFeature })

const PHONE = {
  title: 'phone-title',
  end: 'phone-end',
  line: 'phone-line',
  break: 'phone-line phone-break',
  none: 'phone-none',
}

const classOf = ({ align, phone = 'line' }: Pick<Column<Item>, 'align' | 'phone'>) =>
  `${PHONE[phone]} ${align === 'end' ? 'at-end' : ''}`

export type TableProps<One extends Item> = {
  /** The name of the table for screen readers. */
  label: string
  items: One[]
  columns: readonly Column<One>[]
  /** The name of an entry, such as `order 7`. */
  nameOf: (item: One) => string
  /** The page of an entry, which Enter and a click in its row open. */
  open?: ((item: One) => string) | undefined
  /** The selected ids, where entries can be selected. */
  selection?: RowSelectionState | undefined
  onSelect?: ((selection: RowSelectionState) => void) | undefined
  /** More about an entry, below its row; false while that is closed. */
  detail?: ((item: One) => ReactNode) | undefined
  /** Another choice is being loaded. */
  isLoading?: boolean
}

/** What an address says of the order: `-total` is descending. */
const sortingIn = (sort: string | null) =>
  sort ? [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }] : []

const CONTROLS = 'a, button, input, select, textarea, label, summary, dialog'

type HeaderProps = {
  column: Pick<Column<Item>, 'header' | 'sort' | 'align' | 'phone'> | undefined
  sorted: 'asc' | 'desc' | false
  /** The order that its link chooses. */
  next: string
}

function HeaderCell({ column, sorted, next }: HeaderProps) {
  const [search] = useSearchParams()
  if (!column) return null
  const direction = sorted === 'desc' ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      aria-sort={sorted ? direction : undefined}
      className={`relative ${classOf(column)}`}
    >
      {column.sort === undefined ? (
        column.header
      ) : (
        <Link
          to={withChoices(search, { sort: next })}
          // as large as its cell
          className="inline-flex items-center gap-1 after:absolute after:inset-0 hover:underline"
        >
          {column.header}
          {sorted === 'asc' && <ArrowUp aria-hidden="true" className="size-3.5" />}
          {sorted === 'desc' && <ArrowDown aria-hidden="true" className="size-3.5" />}
        </Link>
      )}
    </th>
  )
}

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

type Rows<One> = Pick<TableProps<One & Item>, 'open'> & { toggle: (id: string) => void }

/** What keys and clicks do in a row. */
function useRows<One extends Item>({ open, toggle }: Rows<One>) {
  const navigate = useNavigate()
  const onKeyDown = (event: KeyboardEvent<HTMLTableRowElement>, item: One, selects: boolean) => {
    const { key, currentTarget: row, target } = event
    if (target !== row) return
    const step = STEPS[key]
    const rows = [...(row.parentElement?.querySelectorAll<HTMLElement>('.list-row') ?? [])]
    const next = step && rows[rows.indexOf(row) + step]
    if (next) next.focus()
    else if (key === ' ' && selects) toggle(item._id)
    else if (key === 'Enter' && open) void navigate(open(item))
    else return
    event.preventDefault()
  }
  const onClick = ({ target, defaultPrevented }: MouseEvent, item: One) => {
    if (!open || defaultPrevented || !(target instanceof Element) || target.closest(CONTROLS))
      return
    // a text that was just selected is to be copied
    if (window.getSelection()?.toString()) return
    void navigate(open(item))
  }
  return (item: One, selects: boolean) => ({
    onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => onKeyDown(event, item, selects),
    onClick: (event: MouseEvent) => onClick(event, item),
  })
}

/** The details below an open row. */
const Detail = ({ width, children }: { width: number; children: ReactNode }) =>
  children ? (
    <tr className="detail-row">
      <td colSpan={width}>{children}</td>
    </tr>
  ) : null

const isShown = <One extends Item>({ isOnlyInCsv }: Column<One>) => !isOnlyInCsv

/**
 * A table of entries. Its order is the server's. Arrows move between rows, Space selects, Enter opens. On a
 * phone each row is two lines.
 */
export function Table<One extends Item>(props: TableProps<One>) {
  const { label, items, nameOf, open, selection, onSelect, detail, isLoading } = props
  const columns = useColumns(props.columns)
  const [search] = useSearchParams()
  const definitions = useMemo(
    () =>
      props.columns.filter(isShown).map(
        ({ header, sort }): ColumnDef<typeof features, One> => ({
          id: sort ?? header,
          enableSorting: sort !== undefined,
          sortDescFirst: false,
        }),
      ),
    [props.columns],
  )
  const table = useTable({
    features,
    columns: definitions,
    data: items,
    getRowId: ({ _id }) => _id,
    manualSorting: true,
    enableRowSelection: selection !== undefined,
    state: { rowSelection: selection ?? {}, sorting: sortingIn(search.get('sort')) },
    onRowSelectionChange: (update) =>
      onSelect?.(typeof update === 'function' ? update(selection ?? {}) : update),
  })
  const width = columns.length + (selection ? 1 : 0)
  const rowKeys = useRows<One>({ open, toggle: (id) => table.getRow(id).toggleSelected() })
  return (
    <table
      aria-label={label}
      aria-busy={isLoading}
      className={`list ${isLoading ? 'opacity-60' : ''}`}
    >
      <thead>
        <tr>
          {selection && (
            <th scope="col" className="select-cell">
              <input
                type="checkbox"
                aria-label="Select all on this page"
                checked={table.getIsAllRowsSelected()}
                onChange={table.getToggleAllRowsSelectedHandler()}
                className="checkbox checkbox-sm"
              />
            </th>
          )}
          {table.getHeaderGroups()[0]?.headers.map(({ id, column }, at) => (
            <HeaderCell
              key={id}
              column={columns[at]}
              sorted={column.getIsSorted()}
              next={column.getNextSortingOrder() === 'desc' ? `-${id}` : id}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row, position) => (
          <Fragment key={row.id}>
            <tr
              // one row is in the order of Tab, from which arrows lead to the others
              tabIndex={position === 0 ? 0 : -1}
              data-selected={row.getIsSelected() || undefined}
              className="list-row"
              {...rowKeys(row.original, selection !== undefined)}
            >
              {selection && (
                <td className="select-cell">
                  <input
                    type="checkbox"
                    aria-label={`Select ${nameOf(row.original)}`}
                    checked={row.getIsSelected()}
                    onChange={() => {}}
                    onClick={row.getToggleSelectedHandler()}
                    className="checkbox checkbox-sm"
                  />
                </td>
              )}
              {columns.map((column) => (
                <td key={column.header} data-header={column.header} className={classOf(column)}>
                  {contentOf(column, row.original, open)}
                </td>
              ))}
            </tr>
            <Detail width={width}>{detail?.(row.original)}</Detail>
          </Fragment>
        ))}
      </tbody>
    </table>
  )
}
