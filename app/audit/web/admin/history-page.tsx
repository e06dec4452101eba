import { AUDITED_TABLES, type AuditEntry, auditCalls } from '#app/audit/admin-contract.ts'
import { DAYS, type Filter, loadList } from '#app/back-office/kit/list-query.ts'
import type { Column } from '#app/back-office/kit/table.client.tsx'
import { TablePage } from '#app/back-office/kit/table-page.tsx'
import { isId } from '#app/shared/contract/fields.ts'
import type { Route } from './+types/history-page.ts'
import { Actor, actorName, Changes, ObjectLink, objectName } from './entry.tsx'
import { ACTION_NAMES, ACTOR_NAMES, tableLabelOf } from './labels.ts'

const KINDS = AUDITED_TABLES.map((value) => ({ value, label: tableLabelOf(value) }))

/** The filters of the list; a person is one of them when a link has chosen that person. */
const filtersOf = (actor: string | null | undefined, person = 'One person'): Filter[] => [
  { name: 'object', label: 'Object', kind: 'id' },
  { name: 'kind', label: 'What', options: KINDS },
  {
    name: 'actor',
    label: 'Who',
    options: { ...(actor && isId(actor) && { [actor]: person }), ...ACTOR_NAMES },
  },
  ...DAYS,
]

export const clientLoader = (args: Route.ClientLoaderArgs) => {
  const filters = filtersOf(new URL(args.request.url).searchParams.get('actor'))
  return loadList(args, auditCalls.getAuditLog, filters, 'The history could not be loaded.')
}

const COLUMNS: Column<AuditEntry>[] = [
  { header: 'When', at: ({ at }) => at, phone: 'end' },
  {
    header: 'What',
    cell: ({ object }) => <ObjectLink object={object} />,
    csv: ({ object }) => objectName(object),
    phone: 'title',
  },
  {
    header: 'Change',
    cell: (entry) => <Changes entry={entry} />,
    csv: ({ action }) => ACTION_NAMES[action],
    phone: 'break',
  },
  {
    header: 'Who',
    cell: ({ actor }) => <Actor actor={actor} />,
    csv: ({ actor }) => actorName(actor),
  },
]

function titleOf(entries: AuditEntry[] = [], id: string | undefined): string {
  const object = entries.find((entry) => entry.object._id === id)?.object
  if (!object?.name) return 'History'
  return `History of ${object.kind === 'orders' ? `order ${object.name}` : object.name}`
}

/** The audit log, newest first, filtered by object, kind, actor and days. */
export default function HistoryPage({ loaderData }: Route.ComponentProps) {
  const { found, query } = loaderData
  const person = found?.items.find(({ actor }) => actor._id === query.actor)?.actor.name
  return (
    <TablePage
      {...loaderData}
      title={titleOf(found?.items, query.object)}
      what="change"
      columns={COLUMNS}
      nameOf={({ object }) => objectName(object)}
      filters={filtersOf(query.actor, person ?? undefined)}
      empty="Nothing was changed."
    />
  )
}
