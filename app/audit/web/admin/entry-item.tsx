import { Link } from 'react-router'
import type { AuditEntry, AuditedTable, Change, Value } from '#app/audit/admin-contract.ts'
import { editPath } from '#app/products/contract.ts'
import { href } from '#app/shared/model/href.ts'
import { truncate } from '#app/shared/web/texts.ts'
import { useMoney } from '#app/shared/web/use-money.ts'
import { historyPath } from '../history-link.tsx'
import { ACTION_NAMES, isAmount, labelOf, nounOf, UNNAMED_ACTORS } from './labels.ts'

const MAX_LENGTH = 120

const clock = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })
const formatTime = (at: string) => clock.format(new Date(at))

/** An entry: actor, time, object, and the values before and after. */
export function EntryItem({ entry: { at, object, action, actor, changes } }: Props) {
  return (
    <article className="wrap-anywhere grid gap-x-6 gap-y-1 p-4 sm:px-6 lg:grid-cols-[12rem_minmax(0,1fr)]">
      <p className="text-base-content/75 text-sm">
        <time dateTime={at}>{formatTime(at)}</time>
      </p>
      <div className="space-y-1">
        <p>
          <ObjectLink object={object} />: {ACTION_NAMES[action]} by <Actor actor={actor} />
        </p>
        <Changes object={object} changes={changes} isUpdate={action === 'update'} />
      </div>
    </article>
  )
}

type Props = { entry: AuditEntry }

/** The admin page of the object; for a payment, its history. */
function pathOf({ kind, _id, name, slug }: AuditEntry['object']): string {
  if (kind === 'products' && slug !== null) return editPath({ slug })
  if (kind === 'orders') return `${href('/dashboard/admin/orders')}?q=${_id}`
  if (kind === 'users' && name !== null)
    return `${href('/dashboard/admin/users')}?${new URLSearchParams({ q: name })}`
  return historyPath({ object: _id })
}

/** The tables of one row, which needs no name. */
const SINGLE: AuditedTable[] = ['settings', 'tax_settings']

/** The object of an entry, by its noun and its name. */
function ObjectLink({ object }: { object: AuditEntry['object'] }) {
  const isSingle = SINGLE.includes(object.kind)
  return (
    <>
      {!isSingle && `${nounOf(object.kind)} `}
      <Link to={pathOf(object)} className="link link-hover font-semibold">
        {isSingle ? nounOf(object.kind) : (object.name ?? 'that is deleted')}
      </Link>
    </>
  )
}

function Actor({ actor: { kind, _id, name } }: Pick<AuditEntry, 'actor'>) {
  if (_id === null) return UNNAMED_ACTORS[kind]
  return (
    <>
      <Link to={historyPath({ actor: _id })} className="link">
        {name ?? UNNAMED_ACTORS[kind]}
      </Link>
      {kind === 'admin' && ' (admin)'}
    </>
  )
}

/** Formats values; amounts in a currency, or in that of the shop. */
function useFormat(currency: string | null): (field: string, value: Value) => string {
  const money = useMoney()
  return (field, value) => {
    if (isEmpty(value)) return 'none'
    if (typeof value === 'boolean') return value ? 'Yes' : 'No'
    if (typeof value === 'number')
      return isAmount(field) ? money(value, currency ?? undefined) : value.toLocaleString('en-US')
    return field.endsWith('_at') ? formatTime(value) : truncate(value, MAX_LENGTH)
  }
}

type ChangesProps = { object: AuditEntry['object']; changes: Change[]; isUpdate: boolean }

const isEmpty = (value: Value) => value === null || value === ''

/** The only values of a secret or a picture. */
const EVENTS: Value[] = ['changed', 'added', 'removed']

function Changes({ object, changes, isUpdate }: ChangesProps) {
  const format = useFormat(object.currency)
  const shown = changes.filter(({ before, after }) => !isEmpty(before) || !isEmpty(after))
  if (shown.length === 0) return null
  /** Secrets, created rows and deleted rows have only one value. */
  const formatChange = ({ field, before, after }: Change) =>
    isUpdate && !(before === null && EVENTS.includes(after))
      ? `${format(field, before)} → ${format(field, after)}`
      : format(field, after ?? before)
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-sm">
      {shown.map((change) => (
        <div key={change.field} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-base-content/75">{labelOf(change.field, object.kind)}</dt>
          <dd>{formatChange(change)}</dd>
        </div>
      ))}
    </dl>
  )
}
