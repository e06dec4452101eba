import { type AuditEntry, auditCalls } from '#app/audit/admin-contract.ts'
import { ListPage } from '#app/back-office/list-page.tsx'
import { callContext, loadOrToast } from '#app/shared/web/load.ts'
import { pageOf } from '#app/shared/web/query.ts'
import type { Route } from './+types/history-page.ts'
import { EntryItem } from './entry-item.tsx'
import { filterOf, HistorySearch } from './history-search.tsx'

export const clientLoader = async ({ context, request }: Route.ClientLoaderArgs) => {
  const { searchParams } = new URL(request.url)
  const filter = filterOf(searchParams)
  const query = { page: pageOf(searchParams), ...filter }
  const found = await loadOrToast(
    context.get(callContext).counted(auditCalls.getAuditLog, { query }),
    'The history could not be loaded.',
  )
  return { found, filter }
}

function titleOf(entries: AuditEntry[] = [], id: string | undefined): string {
  const object = entries.find((entry) => entry.object._id === id)?.object
  if (!object?.name) return 'History'
  return `History of ${object.kind === 'orders' ? `order ${object.name}` : object.name}`
}

/** The time zone of the browser. */
const zone = () => new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone

const personOf = (entries: AuditEntry[] = [], id: string | undefined) =>
  entries.find(({ actor }) => actor._id === id)?.actor.name ?? undefined

/** The audit log, newest first, filtered by object, kind, actor and days. */
export default function HistoryPage({ loaderData: { found, filter } }: Route.ComponentProps) {
  return (
    <ListPage
      title={titleOf(found?.items, filter.object)}
      label="Changes"
      what="change"
      found={found}
      entry={(entry) => <EntryItem entry={entry} />}
      empty="Nothing was changed."
      above={() => (
        <>
          <p className="-mt-6 text-base-content/75 text-sm">Times are those of {zone()}.</p>
          <HistorySearch filter={filter} person={personOf(found?.items, filter.actor)} />
        </>
      )}
    />
  )
}
