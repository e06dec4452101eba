import type { RowSelectionState } from '@tanstack/react-table'
import Download from 'lucide-react/icons/download'
import { type ReactNode, useState } from 'react'
import { useLocation, useNavigation, useSearchParams } from 'react-router'
import { LIST_PAGE_SIZE } from '#app/shared/contract/fields.ts'
import { messageOf } from '#app/shared/web/call.ts'
import { NotLoaded, useLastLoaded } from '#app/shared/web/failure.tsx'
import { PageHead } from '#app/shared/web/head.tsx'
import { Pages } from '#app/shared/web/list.tsx'
import { pageOf } from '#app/shared/web/query.ts'
import { pluralize } from '#app/shared/web/texts.ts'
import { toast, useAnnouncement } from '#app/shared/web/toast.tsx'
import { type BulkAction, BulkBar } from './bulk-bar.tsx'
import { saveCsv } from './csv.ts'
import { ListFilters, ListTabs } from './list-filters.tsx'
import { type Filter, isTabs } from './list-query.ts'
import { PageHeader } from './page.tsx'
import { type Column, csvOf, type Item, Table, type TableProps } from './table.client.tsx'

type Found<One> = { items: One[]; total: number }
type Filtered = Record<string, string>

type Props<One extends Item> = Pick<TableProps<One>, 'columns' | 'nameOf' | 'open' | 'detail'> & {
  title: string
  /** The noun of an entry. */
  what: string
  /** The page of the list, and the filter of `loadList`, which `bulk` needs; null when it could not be loaded. */
  found: (Found<One> & { filter?: Filtered }) | null
  filters?: readonly Filter[]
  /** The label of the search field. */
  searchLabel?: string
  /** What can be done with selected entries. */
  bulk?: BulkAction[]
  /** Loads a page of what is shown, for the CSV. */
  load?: (page: number) => Promise<Found<One>>
  pageSize?: number
  /** Shown for a list without entries. */
  empty: ReactNode
  /** Beside the title. */
  tools?: ReactNode
  /** Above the list. */
  above?: ReactNode
}

/** The rows of a CSV of what is seen. */
const MAX_ROWS = 1000

const ordersOf = <One extends Item>(columns: readonly Column<One>[]) =>
  columns.flatMap(({ header, sort }) =>
    sort
      ? [
          { value: sort, label: `${header} ascending` },
          { value: `-${sort}`, label: `${header} descending` },
        ]
      : [],
  )

/** A page with a table. A failed reload keeps what was loaded last. */
export function TablePage<One extends Item>(props: Props<One>) {
  const { title, what, found, columns, nameOf, open, detail, filters = [], searchLabel } = props
  const { bulk, load, pageSize = LIST_PAGE_SIZE, empty, tools, above } = props
  const { pathname, search } = useLocation()
  const [params] = useSearchParams()
  const next = useNavigation().location
  const last = useLastLoaded(found, search)
  const counted = last && pluralize(last.total, what, params.has('q')).replace(/ys$/, 'ies')
  useAnnouncement(counted && `Listed: ${counted}`)
  const tabs = filters.find(isTabs)
  // entries of another list are no longer selected
  const [{ selected, isAll }, select] = useSelection(JSON.stringify(last?.filter))
  // the place of each entry in all pages, so that those selected are in the order of the list
  const [places] = useState(() => new Map<string, number>())
  for (const [at, { _id }] of last?.items.entries() ?? [])
    places.set(_id, (pageOf(params) - 1) * pageSize + at)
  const placeOf = (id: string) => places.get(id) ?? 0
  return (
    <section className="space-y-3">
      <PageHead title={title} hidden />
      <PageHeader
        title={title}
        note={counted && <p className="text-base-content/75">{counted}</p>}
        tools={
          <>
            {load && <CsvButton name={title} columns={columns} load={load} pageSize={pageSize} />}
            {tools}
          </>
        }
      />
      {above}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {tabs && <ListTabs filter={tabs} />}
        <ListFilters filters={filters} searchLabel={searchLabel} orders={ordersOf(columns)} />
      </div>
      {!found && <NotLoaded />}
      {last && last.items.length === 0 && (
        <div className="surface px-6 py-12 text-center">
          {last.total > 0 ? 'There is no such page.' : empty}
        </div>
      )}
      {last && last.items.length > 0 && (
        <div className="surface list-scroll">
          <Table
            label={title}
            items={last.items}
            columns={columns}
            nameOf={nameOf}
            open={open}
            detail={detail}
            selection={bulk && selected}
            onSelect={select}
            isLoading={next?.pathname === pathname}
          />
        </div>
      )}
      {last && <Pages page={pageOf(params)} total={last.total} pageSize={pageSize} />}
      {bulk && last?.filter && (
        <BulkBar
          actions={bulk}
          ids={Object.keys(selected).sort((one, other) => placeOf(one) - placeOf(other))}
          total={last.total}
          what={what}
          filter={last.filter}
          isAll={isAll}
          onAll={() => select(selected, true)}
          onClear={() => select({})}
        />
      )}
    </section>
  )
}

/**
 * The selected ids, which are those of one list, through all of its pages; or all of the list. Any other
 * choice ends the selection of all.
 */
function useSelection(list: string | undefined) {
  const of = (selected: RowSelectionState, isAll = false) => ({ list, selected, isAll })
  const [state, setState] = useState(() => of({}))
  if (state.list !== list) setState(of({}))
  const select = (...choice: Parameters<typeof of>) => setState(of(...choice))
  return [state.list === list ? state : of({}), select] as const
}

type CsvProps<One extends Item> = {
  name: string
  columns: readonly Column<One>[]
  load: (page: number) => Promise<Found<One>>
  pageSize: number
}

/** Saves what is seen as CSV: the columns of the table, of all of its pages. */
function CsvButton<One extends Item>({ name, columns, load, pageSize }: CsvProps<One>) {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      const { items, total } = await load(1)
      const rows = [...items]
      while (rows.length < Math.min(total, MAX_ROWS)) {
        const more = (await load(rows.length / pageSize + 1)).items
        rows.push(...more)
        if (more.length < pageSize) break
      }
      const kept = columns.flatMap((column) => {
        const csv = csvOf(column)
        return csv ? [{ header: column.header, csv }] : []
      })
      saveCsv(name, [
        kept.map(({ header }) => header),
        ...rows.map((item) => kept.map(({ csv }) => csv(item))),
      ])
      if (total > rows.length) toast.success(`Saved the first ${rows.length} of ${total}.`)
    } catch (error) {
      toast.error(messageOf(error, 'The list could not be saved.'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" aria-busy={busy} onClick={() => !busy && save()} className="btn">
      <Download aria-hidden="true" className="size-4" />
      CSV
    </button>
  )
}
