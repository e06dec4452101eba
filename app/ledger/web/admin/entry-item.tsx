import { Link } from 'react-router'
import type { Change, Entry } from '#app/ledger/admin-contract.ts'
import { editPath } from '#app/products/contract.ts'
import { historyPath } from '../history-link.tsx'
import { timeOf, useShown } from './use-shown.ts'
import { FIELD_NAMES, NAMELESS, wordsOf } from './words.ts'

/** One change: what became of what, by whom and when, and what was before and after. */
export function EntryItem({ entry }: { entry: Entry }) {
  const { noun, verb, by } = wordsOf(entry)
  return (
    <article className="wrap-anywhere grid gap-x-6 gap-y-1 p-4 sm:px-6 lg:grid-cols-[12rem_minmax(0,1fr)]">
      <p className="text-base-content/75 text-sm">
        <time dateTime={entry.at}>{timeOf(entry.at)}</time>
      </p>
      <div className="space-y-1">
        <p>
          {noun} <Thing object={entry.object} /> {verb}
          {by && (
            <>
              {' '}
              {by} <Who actor={entry.actor} />
            </>
          )}
          .
        </p>
        <Changes entry={entry} />
      </div>
    </article>
  )
}

/** Where the admin works on it; of a payment and its money, its history. */
function pathOf({ kind, _id, name, slug }: Entry['object']): string {
  if (kind === 'product' && slug !== null) return editPath({ slug })
  if (kind === 'order') return `/dashboard/admin/orders?q=${_id}`
  if (kind === 'user' && name !== null)
    return `/dashboard/admin/users?${new URLSearchParams({ q: name })}`
  return historyPath({ object: _id })
}

const Thing = ({ object }: { object: Entry['object'] }) => (
  <Link to={pathOf(object)} className="link link-hover font-semibold">
    {object.name ?? object._id}
  </Link>
)

function Who({ actor: { kind, _id, name } }: { actor: Entry['actor'] }) {
  if (_id === null) return NAMELESS[kind]
  return (
    <>
      <Link to={historyPath({ actor: _id })} className="link link-hover">
        {name ?? NAMELESS[kind]}
      </Link>
      {kind === 'admin' && ' (admin)'}
    </>
  )
}

const ORDER = Object.keys(FIELD_NAMES)

const isTold = ({ field, before, after }: Change) =>
  ORDER.includes(field) && !(before === null && after === null)

const inOrder = (one: Change, other: Change) =>
  ORDER.indexOf(one.field) - ORDER.indexOf(other.field)

function Changes({ entry }: { entry: Entry }) {
  const shown = useShown(entry)
  const changes = entry.changes.filter(isTold).sort(inOrder)
  if (changes.length === 0) return null
  const isWhole = entry.action !== 'update'
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-sm">
      {changes.map(({ field, before, after }) => (
        <div key={field} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-base-content/75">{FIELD_NAMES[field]}</dt>
          <dd>
            {isWhole || before === after || field === 'lines'
              ? shown(field, after ?? before)
              : `${shown(field, before)} → ${shown(field, after)}`}
          </dd>
        </div>
      ))}
    </dl>
  )
}
